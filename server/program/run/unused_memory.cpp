// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/unused_memory.hpp"

#include <malloc.h>

#include <algorithm>

#include "admin/process_figures.hpp"

namespace petstore::program {

/// malloc also counts memory as free that it has given back already. So the process must have grown as well. That is
/// checked first, because malloc walks its lists for an answer.
bool unused_memory::give_back() {
  std::size_t const resident = resident_anonymous_bytes();
  left_over_ = std::min(left_over_, resident);
  if (resident - left_over_ < kept_max || ::mallinfo2().fordblks < kept_max) return false;
  ::malloc_trim(0);
  left_over_ = resident_anonymous_bytes();
  return true;
}

}  // namespace petstore::program
