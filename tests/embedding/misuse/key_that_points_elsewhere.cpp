// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A limiter copies its keys, but not what they point to.
// says: longer than what a pointer or a view points to
#include <petstore/limits/limiter.hpp>

#include <string>
#include <string_view>

using namespace petstore::limits;

#ifdef MISUSE
limiter<std::string_view> quota({.plan = {per_minute(60)}});
#else
limiter<std::string> quota({.plan = {per_minute(60)}});
#endif
