// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/test/unit_test.hpp>
#include <ostream>

#include "petstore/limits/notice.hpp"
#include "support/virtual_clock.hpp"

namespace petstore::limits {

using tests::midnight_unix_s;
using tests::noon_unix_s;
using tests::virtual_clock;

inline std::ostream& operator<<(std::ostream& out, decision d) {
  static constexpr char const* names[] = {"admitted", "rate_limited", "banned", "observed"};
  return out << names[static_cast<std::size_t>(d)];
}
inline std::ostream& operator<<(std::ostream& out, resource r) {
  return out << (r == resource::short_window ? "short_window" : "long_window");
}

}  // namespace petstore::limits
