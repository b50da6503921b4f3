// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "audit/checks.hpp"
#include "audit/windows.hpp"

namespace petstore::load {

void check_unnamed(history const& of, promised_quota const& promise, finding_list& out) {
  std::vector<admission> all;
  for (auto const& n : of.notes)
    if (charge_of(n, of.has_key) == charge::surely) all.push_back({n.sent, n.received});
  auto const tokens = static_cast<double>(promise.limit);
  auto const rate = tokens / static_cast<double>(promise.window.count() * second_ns);
  // At most length / window + 2 periods overlap a stretch of time. Nodes hold tokens of a continuous refill in advance.
  auto const held = of.shared ? std::min(tokens / 2, rate * static_cast<double>(lease_delay)) : 0;
  auto const worst = find_busiest(std::move(all), promise.continuous ? tokens + held : 2 * tokens, rate);
  if (worst.excess < 0.5) return;
  out.add(of, "over-admission", worst.end,
          std::to_string(worst.admitted) + " requests were admitted from " + of.time_of(worst.begin) + " to " +
              of.time_of(worst.end) + ", more than the " + std::to_string(promise.limit) + " tokens of the " +
              promise.resource + " allow that the plan has and no answer names");
}

}  // namespace petstore::load
