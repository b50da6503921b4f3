// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/operators_bans.hpp"

namespace petstore::limits {

void operators_bans::impose(account& whose, wall_time until, instant now) {
  std::lock_guard const lock(mutex_);
  whose.impose_ban(until, now);
  imposed& known = bans_[&whose];
  if (until > known.until) known = {until, now};  // like the account, keep the later end
}

void operators_bans::lift(account& whose) {
  std::lock_guard const lock(mutex_);
  whose.lift_ban();
  bans_.erase(&whose);
}

void operators_bans::follow_wall_clock(instant now) {
  std::lock_guard const lock(mutex_);
  for (auto& [whose, ban] : bans_) {
    bool const is_late = now.boot < ban.at.boot;  // read before the clock was set, by a thread that was held up
    if (is_late || !was_set_between(ban.at, now)) continue;
    whose->move_ban(ban.until, ban.at, now);
    ban.at = now;
  }
}

}  // namespace petstore::limits
