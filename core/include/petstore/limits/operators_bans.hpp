// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <mutex>
#include <unordered_map>

#include "petstore/export.hpp"
#include "petstore/limits/account.hpp"
#include "petstore/limits/instant.hpp"

namespace petstore::limits {

/// The bans of operators. They end at a time of the wall clock, while an account counts on the boot clock; so each one
/// is remembered with the clocks by which it was translated, and translated anew when the wall clock is set. Else a
/// machine that starts in 1970 would ban for decades, and one that starts in a later year not at all.
///
/// Thread safety: every function from any thread. An account that was banned must stay where it is.
class PETSTORE_EXPORT operators_bans {
 public:
  /// As `account::impose_ban`, until that time of the wall clock, however it is set meanwhile.
  void impose(account&, wall_time until, instant now);
  /// As `account::lift_ban`.
  void lift(account&);
  /// To be called now and then.
  void follow_wall_clock(instant now);

 private:
  struct imposed {
    wall_time until{};
    instant at{};
  };

  std::mutex mutex_;
  std::unordered_map<account*, imposed> bans_;  // as many as operators have banned since the start
};

}  // namespace petstore::limits
