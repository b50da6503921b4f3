// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A ban of an account ends at a time of the wall clock, too.
// says: cannot convert|could not convert|no viable conversion|no matching
#include <petstore/limits/account.hpp>

using namespace petstore::limits;

void ban(account& whose, instant t) {
#ifdef MISUSE
  whose.impose_ban(t.boot, t);
#else
  whose.impose_ban(t.wall, t);
#endif
}
