// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "storage/linearizability.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>
#include <utility>

namespace petstore::tests {
namespace {

/// Takes one call after the other, in every order that time allows (Wing and Gong), but goes on from no state twice
/// (Lowe): a state is which calls are taken, and what they made of the animal.
class search {
 public:
  explicit search(std::vector<observed_call> const& history) : history_(history) {}

  bool from(std::uint64_t taken, adoption const& now) {
    if (taken == all()) return true;
    if (!seen_.emplace(taken, now).second) return false;
    std::uint64_t const first_end = first_end_of_the_rest(taken);
    for (std::size_t i = 0; i < history_.size(); ++i) {
      if (is_taken(taken, i) || history_[i].begun > first_end) continue;
      auto const next = now.after(history_[i]);
      if (next && from(taken | std::uint64_t{1} << i, *next)) return true;
    }
    return false;
  }

 private:
  static bool is_taken(std::uint64_t taken, std::size_t i) { return (taken >> i & 1) != 0; }
  std::uint64_t all() const {
    return history_.size() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << history_.size()) - 1;
  }
  /// What began after it cannot have come before it.
  std::uint64_t first_end_of_the_rest(std::uint64_t taken) const {
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t i = 0; i < history_.size(); ++i)
      if (!is_taken(taken, i)) first = std::min(first, history_[i].ended);
    return first;
  }

  std::vector<observed_call> const& history_;
  std::set<std::pair<std::uint64_t, adoption>> seen_;
};

}  // namespace

std::optional<adoption> adoption::after(observed_call const& c) const {
  auto const known = orders.find(c.order);
  adoption next = *this;
  switch (c.what) {
    case call::place:
      if (c.went_well != (animal == pet_status::available)) return std::nullopt;
      if (!c.went_well) return next;
      if (!orders.empty() && orders.rbegin()->first >= c.order) return std::nullopt;  // ids ascend
      next.orders.emplace(c.order, order_status::placed);
      next.animal = pet_status::pending;
      return next;
    case call::step:
      if (c.went_well != (known != orders.end() && may_follow(known->second, c.to))) return std::nullopt;
      if (!c.went_well) return next;
      next.orders[c.order] = c.to;
      next.animal = pet_status_after(c.to).value_or(pet_status::pending);
      return next;
    case call::read_animal: return c.animal == animal ? std::optional{next} : std::nullopt;
    case call::read_order:
      if (c.went_well != (known != orders.end())) return std::nullopt;
      return !c.went_well || known->second == c.seen ? std::optional{next} : std::nullopt;
  }
  return std::nullopt;
}

bool is_linearizable(std::vector<observed_call> const& history) {
  if (history.size() > 64) throw std::length_error("a history of more than 64 calls");
  return search(history).from(0, {});
}

}  // namespace petstore::tests
