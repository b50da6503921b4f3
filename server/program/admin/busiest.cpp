// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/busiest.hpp"

#include <algorithm>
#include <cmath>

namespace petstore::program {
namespace {

constexpr double memory_s = 60;
/// Of so many weighed requests a key is forgotten.
constexpr double negligible = 0.01;

}  // namespace

void busiest::observe(std::vector<std::vector<server::key_count>> const& counts,
                      std::chrono::duration<double> elapsed) {
  std::map<place, server::key_count> now;
  for (std::size_t thread = 0; thread < counts.size(); ++thread)
    for (auto const& c : counts[thread]) now.emplace(place{thread, c.key}, c);

  if (has_last_) {
    double const decay = std::exp(-elapsed.count() / memory_s);
    for (auto& [key, weight] : weighed_) weight *= decay;
    seconds_ = seconds_ * decay + elapsed.count();
    for (auto const& [where, c] : now) {
      auto const before = last_.find(where);
      // Who lost its place and got another one was counted anew from there.
      bool const kept_place = before != last_.end() && before->second.floor == c.floor;
      auto const added = c.count - (kept_place ? std::min(before->second.count, c.count) : c.floor);
      if (added != 0) weighed_[c.key] += static_cast<double>(added);
    }
    std::erase_if(weighed_, [](auto const& w) { return w.second < negligible; });
  }
  last_ = std::move(now);
  has_last_ = true;
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
