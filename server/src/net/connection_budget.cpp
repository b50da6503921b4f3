// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/connection_budget.hpp"

#include <utility>

#include "net/address.hpp"

namespace petstore::server {

connection_budget::connection_budget(std::size_t max, std::size_t max_of_address, std::vector<address_range> exempt)
    : max_{max},
      counts_addresses_{max_of_address != unlimited},
      max_of_address_{max_of_address},
      exempt_{std::move(exempt)} {}

void connection_budget::set(connection_shares shares) {
  max_.store(shares.max, std::memory_order_relaxed);
  std::lock_guard const lock{mutex_};
  max_of_address_ = shares.max_of_address;
  exempt_ = std::move(shares.exempt);
}

connection_budget::admission connection_budget::take(address const& from) {
  if (counts_addresses_ && !take_of_share(from)) return admission::address_full;
  if (in_use_.fetch_add(1, std::memory_order_relaxed) < max()) return admission::granted;
  in_use_.fetch_sub(1, std::memory_order_relaxed);
  if (counts_addresses_) give_back_to_share(from);
  return admission::full;
}

void connection_budget::give_back(address const& from) noexcept {
  in_use_.fetch_sub(1, std::memory_order_relaxed);
  if (counts_addresses_) give_back_to_share(from);
}

connection_budget::admission connection_budget::pass_on(address const& from, address const& to) {
  if (from == to || !counts_addresses_) return admission::granted;
  if (!take_of_share(to)) return admission::address_full;
  give_back_to_share(from);
  return admission::granted;
}

std::string_view reason_for(connection_budget::admission v) noexcept {
  if (v == connection_budget::admission::address_full) return "There are too many connections from this address.";
  return "There are too many connections.";
}

bool connection_budget::take_of_share(address const& from) {
  std::lock_guard const lock{mutex_};
  if (is_in_any(exempt_, from)) {
    ++of_exempt_[from];
    return true;
  }
  if (max_of_address_ == 0) return false;
  auto& held = by_address_[limits::charging_unit(from)];
  if (held >= max_of_address_) return false;
  ++held;
  return true;
}

void connection_budget::give_back_to_share(address const& from) noexcept {
  std::lock_guard const lock{mutex_};
  auto const one_less = [](auto& all, auto const& key) {
    auto const held = all.find(key);
    if (held == all.end()) return false;
    if (--held->second == 0) all.erase(held);
    return true;
  };
  if (!one_less(of_exempt_, from)) one_less(by_address_, limits::charging_unit(from));
}

}  // namespace petstore::server
