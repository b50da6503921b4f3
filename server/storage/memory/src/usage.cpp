// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>

#include "tables.hpp"

namespace petstore::storage::memory {

void tables::add_usage(ports::usage_batch const& batch) {
  for (auto const& row : batch.rows) {
    auto& sum = usage_[{row.day, row.key}];
    sum = {row.day, sum.admitted + row.admitted, sum.refused + row.refused};
    auto& last = last_uses_[row.key];
    last = std::max(last, row.last_used);
  }
  if (usage_.empty()) return;
  auto const newest = usage_.rbegin()->first.first;
  usage_.erase(usage_.begin(), usage_.lower_bound({newest - ports::usage_kept, 0}));
}

std::vector<ports::usage_of_day> tables::read_usage(std::uint64_t key, std::chrono::sys_days first,
                                                    std::chrono::sys_days last) const {
  std::vector<ports::usage_of_day> found;
  for (auto day = first; day <= last; day += std::chrono::days{1})
    if (auto const at = usage_.find({day, key}); at != usage_.end()) found.push_back(at->second);
  return found;
}

std::vector<ports::last_use> tables::read_last_uses(std::uint64_t first_key, std::uint64_t last_key) const {
  std::vector<ports::last_use> found;
  for (auto at = last_uses_.lower_bound(first_key); at != last_uses_.end() && at->first <= last_key; ++at)
    found.push_back({at->first, at->second});
  return found;
}

}  // namespace petstore::storage::memory
