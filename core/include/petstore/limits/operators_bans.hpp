// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <mutex>
#include <unordered_map>

#include "petstore/export.hpp"
#include "petstore/limits/account.hpp"
#include "petstore/limits/instant.hpp"

namespace petstore::limits {

/// The bans by operators. Such a ban ends at a time of the wall clock, but an account counts on the boot clock. So each
/// ban is stored with the two clocks that it was translated with, and translated again when the wall clock is set.
/// Otherwise a machine that starts with its clock in 1970 would ban for decades, and one that starts with a later year
/// would not ban at all.
///
/// Thread safety: every function from any thread. A banned account must keep its address.
class PETSTORE_EXPORT operators_bans {
 public:
  /// Like `account::impose_ban`, until that time of the wall clock, even if the clock is set meanwhile.
  void impose(account&, wall_time until, instant now);
  /// Like `account::lift_ban`.
  void lift(account&);
  /// Call it every now and then.
  void follow_wall_clock(instant now);

 private:
  struct imposed {
    wall_time until{};
    instant at{};
  };

  std::mutex mutex_;
  std::unordered_map<account*, imposed> bans_;  // the bans that operators have imposed since the start
};

}  // namespace petstore::limits
