// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "log/repeat_limit.hpp"

#include <algorithm>
#include <utility>

namespace petstore::program {

bool repeat_limit::admit(std::string_view event, time now) {
  std::lock_guard const lock(mutex_);
  auto& r = find(event);
  if (now >= r.end) {
    close_period(r);
    r.end = now + period;
  }
  return ++r.lines <= lines_max;
}

std::vector<repeat_limit::left_out> repeat_limit::take_left_out(time now) {
  std::vector<left_out> out;
  std::lock_guard const lock(mutex_);
  for (auto& r : events_) {
    if (now >= r.end) close_period(r);
    if (r.unreported != 0) out.push_back({r.event, std::exchange(r.unreported, 0)});
  }
  return out;
}

void repeat_limit::close_period(repeated& r) {
  if (r.lines > lines_max) r.unreported += r.lines - lines_max;
  r.lines = 0;
}

/// Under mutex_.
repeat_limit::repeated& repeat_limit::find(std::string_view event) {
  auto const known = std::ranges::find(events_, event, &repeated::event);
  if (known != events_.end()) return *known;
  if (events_.size() < events_max) return events_.emplace_back(repeated{std::string(event), {}, 0, 0});
  return events_.back();
}

}  // namespace petstore::program
