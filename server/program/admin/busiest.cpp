// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/busiest.hpp"

#include <algorithm>
#include <cmath>

namespace petstore::program {
namespace {

constexpr double memory_s = 60;
/// A key with fewer decayed requests is forgotten.
constexpr double negligible = 0.01;

}  // namespace

void busiest::observe(std::vector<std::vector<server::key_count>> const& counts,
                      std::chrono::duration<double> elapsed) {
  std::map<counter_id, server::key_count> now;
  for (std::size_t thread = 0; thread < counts.size(); ++thread)
    for (auto const& c : counts[thread]) now.emplace(counter_id{thread, c.key}, c);

  if (last_) {
    double const decay = std::exp(-elapsed.count() / memory_s);
    for (auto& [key, weight] : weighed_) weight *= decay;
    seconds_ = seconds_ * decay + elapsed.count();
    for (auto const& [where, c] : now) {
      auto const before = last_->find(where);
      // A key that lost its entry and got a new one since then has made the requests above the new floor.
      bool const kept_entry = before != last_->end() && before->second.floor == c.floor;
      auto const added = c.count - (kept_entry ? std::min(before->second.count, c.count) : c.floor);
      if (added != 0) weighed_[c.key] += static_cast<double>(added);
    }
    std::erase_if(weighed_, [](auto const& w) { return w.second < negligible; });
  }
  last_ = std::move(now);
}

void busiest::forget() {
  *this = {};
}

std::vector<key_rate> busiest::top(std::size_t n) const {
  std::vector<key_rate> all;
  for (auto const& [key, weight] : weighed_) all.push_back({key, weight / seconds_});
  auto const is_busier = [](key_rate const& a, key_rate const& b) {
    return a.per_second != b.per_second ? a.per_second > b.per_second : a.key < b.key;
  };
  auto const kept = std::min(n, all.size());
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(), is_busier);
  all.resize(kept);
  return all;
}

}  // namespace petstore::program
