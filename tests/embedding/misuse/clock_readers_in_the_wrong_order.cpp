// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A function that reads one clock cannot replace a function that reads the other.
// says: invalid conversion|no matching (function|constructor)
#include <petstore/limits/instant.hpp>

using namespace petstore::limits;

boot_time read_boot() noexcept;
wall_time read_wall() noexcept;

frequent_clock make() {
#ifdef MISUSE
  return frequent_clock{read_wall, read_boot};
#else
  return frequent_clock{read_boot, read_wall};
#endif
}
