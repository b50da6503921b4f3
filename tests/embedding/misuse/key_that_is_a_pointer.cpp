// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Two equal names at different addresses are one customer.
// says: longer than what a pointer or a view points to
#include <petstore/limits/limiter.hpp>

#include <string>

using namespace petstore::limits;

#ifdef MISUSE
limiter<char const*> quota({.plan = {per_minute(60)}});
#else
limiter<std::string> quota({.plan = {per_minute(60)}});
#endif
