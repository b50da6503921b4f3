// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "self_check.hpp"

#include <algorithm>
#include <cmath>

#include "report/wording.hpp"

namespace petstore::load {
namespace {

void check_processor(results const& found, std::vector<warning>& warnings) {
  double busiest = 0;
  std::size_t busy = 0;
  for (auto const& thread : found.tool.threads) {
    if (thread.wall_time.count() <= 0) continue;
    auto const share =
        static_cast<double>(thread.processor_time.count()) / static_cast<double>(thread.wall_time.count());
    busiest = std::max(busiest, share);
    busy += share >= processor_share_max;
  }
  if (busy == 0) return;
  warnings.push_back({"The tool was the limit: " + std::to_string(busy) + " of its " +
                          std::to_string(found.tool.threads.size()) + " threads used up to " + share_text(busiest) +
                          " of a core. Give it more threads and cores, or less to send.",
                      true});
}

/// Whether the tool began requests so late that it shows in this quantile of the waits.
bool is_behind(results const& found, histogram const& latency, double quantile) {
  if (found.lag.empty() || latency.empty()) return false;
  auto const lag = found.lag.quantile(quantile);
  return lag > lag_p99_max &&
         static_cast<double>(lag.count()) > lag_share_max * static_cast<double>(latency.quantile(quantile).count());
}

void check_lag(results const& found, histogram const& latency, std::vector<warning>& warnings) {
  if (found.lag.empty() || latency.empty()) return;
  auto const lag = found.lag.quantile(0.99);
  auto const share =
      static_cast<double>(lag.count()) / static_cast<double>(std::max<std::int64_t>(latency.quantile(0.99).count(), 1));
  if (is_behind(found, latency, 0.99)) {
    warnings.push_back({"The tool was the limit: one request in a hundred was begun " + duration_words(lag) +
                            " late or more, by the tool's own fault. Latencies are as much the tool's as the server's.",
                        true});
  } else if (share > lag_share_told) {
    warnings.push_back(
        {"One request in a hundred was begun " + duration_words(lag) +
             " late or more by the tool; latencies as short as that say more of this machine than of the "
             "server.",
         false});
  }
}

void check_rate(results const& found, std::vector<warning>& warnings) {
  if (auto const unsent = found.errors.find(error_kind::unsent); unsent != found.errors.end()) {
    warnings.push_back({count_text(unsent->second.count) +
                            " requests were due and never sent: too many were waiting for a connection.",
                        false});
  }
  if (!found.run.rate_wanted || found.duration.count() <= 0) return;
  auto const counts = within_duration(found);
  auto const due = static_cast<double>(counts.due);
  // Withheld requests count as reached: the clients were told to wait.
  auto const reached = static_cast<double>(counts.answers + found.withheld);
  // If few requests are due, those under way at the end are a considerable share.
  if (reached >= due * reached_min - 3 * std::sqrt(due)) return;
  auto const due_rate = due / std::chrono::duration<double>(found.duration).count();
  warnings.push_back({"The rate was not reached: " + rate_words(rate_of(found)) + " were answered within the run of " +
                          rate_words(due_rate) + " that were due.",
                      false});
}

void check_counts(results const& found, histogram const& latency, std::vector<warning>& warnings) {
  if (totals_of(found).answers == 0 && within_duration(found).answers == 0)
    warnings.push_back({"Nothing was answered.", false});
  if (latency.overflow() > 0) {
    warnings.push_back({count_text(latency.overflow()) + " requests took longer than " +
                            duration_words(histogram::range) + ", which is as far as latencies are told apart.",
                        false});
  }
}

}  // namespace

std::vector<warning> check_self(results const& found) {
  std::vector<warning> warnings;
  auto const latency = latency_of(found);
  check_processor(found, warnings);
  if (found.tool.out_of_descriptors) {
    warnings.push_back(
        {"The tool was the limit: it ran out of descriptors or ports. Raise `ulimit -n`, or use fewer "
         "connections.",
         true});
  }
  check_lag(found, latency, warnings);
  check_rate(found, warnings);
  check_counts(found, latency, warnings);
  return warnings;
}

bool tool_was_limit(results const& found) noexcept {
  return std::any_of(found.warnings.begin(), found.warnings.end(), [](warning const& w) { return w.tool_was_limit; });
}

bool tool_had_a_hiccup(results const& found, double quantile) {
  auto const& threads = found.tool.threads;
  return tool_was_limit(found) || is_behind(found, latency_of(found), quantile) ||
         std::any_of(threads.begin(), threads.end(), [](auto const& t) { return t.busiest >= processor_share_max; });
}

}  // namespace petstore::load
