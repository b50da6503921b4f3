// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "audit/windows.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace petstore::load {
namespace {

/// Values at positions, some of which do not count yet. It adds to all values up to a position, and finds the greatest
/// value that counts, both in logarithmic time.
class prefix_maximum {
 public:
  explicit prefix_maximum(std::vector<double> values)
      : values_(std::move(values)),
        leaves_(std::bit_ceil(std::max<std::size_t>(1, values_.size()))),
        tree_(2 * leaves_) {
    for (std::size_t i = 0; i < leaves_; ++i) tree_[leaves_ + i].where = i;
  }

  /// Lets a value count from now on, with everything added to it so far.
  void count(std::size_t position) {
    auto i = leaves_ + position;
    tree_[i].most = values_[position] + tree_[i].pending;
    while (i > 1) pull(i /= 2);
  }

  /// Adds one to the values at 0 to `last`.
  void add_up_to(std::size_t last) { add(1, 0, leaves_ - 1, last); }

  std::pair<double, std::size_t> greatest() const { return {tree_[1].most, tree_[1].where}; }

 private:
  struct node {
    double most = -std::numeric_limits<double>::infinity();
    std::size_t where = 0;
    double pending = 0;  // to be added to all values below; `most` of this node includes it
  };

  void pull(std::size_t i) {
    auto const& left = tree_[2 * i];
    auto const& right = tree_[2 * i + 1];
    auto const& better = right.most > left.most ? right : left;
    tree_[i].most = better.most + tree_[i].pending;
    tree_[i].where = better.where;
  }

  void add(std::size_t i, std::size_t first, std::size_t end, std::size_t last) {
    if (end <= last) {
      tree_[i].most += 1;
      tree_[i].pending += 1;
      return;
    }
    auto const middle = first + (end - first) / 2;
    add(2 * i, first, middle, last);
    if (last > middle) add(2 * i + 1, middle + 1, end, last);
    pull(i);
  }

  std::vector<double> values_;
  std::size_t leaves_;
  std::vector<node> tree_;
};

}  // namespace

// A stretch from a to b surely contains the admissions that were sent at a or later and received at b or before. So b
// goes through the received times. For each sent time a, `inside` has the number of admissions received so far that
// were sent at a or later, plus rate · a.
busiest_window find_busiest(std::vector<admission> all, double burst, double rate) {
  busiest_window worst;
  if (all.empty()) return worst;
  std::ranges::sort(all, {}, &admission::received);
  std::vector<nanos> begins;
  begins.reserve(all.size());
  for (auto const& a : all) begins.push_back(a.sent);
  std::ranges::sort(begins);
  auto const zero = begins.front();
  std::vector<double> values;
  values.reserve(begins.size());
  for (auto const b : begins) values.push_back(rate * static_cast<double>(b - zero));
  prefix_maximum inside(std::move(values));
  worst.excess = -burst;
  for (auto const& a : all) {
    auto const position = static_cast<std::size_t>(count_until(begins, a.sent) - 1);
    inside.add_up_to(position);
    inside.count(position);
    auto const [most, where] = inside.greatest();
    auto const excess = most - rate * static_cast<double>(a.received - zero) - burst;
    if (excess > worst.excess) worst = {excess, 0, begins[where], a.received};
  }
  worst.admitted =
      std::ranges::count_if(all, [&](admission const& a) { return a.sent >= worst.begin && a.received <= worst.end; });
  return worst;
}

}  // namespace petstore::load
