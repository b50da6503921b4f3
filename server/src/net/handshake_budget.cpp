// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/handshake_budget.hpp"

#include <stdexcept>
#include <string>

#include "net/address.hpp"
#include "petstore/limits/keyed_hash.hpp"

namespace petstore::server {
namespace {

/// nullopt: no limit.
std::optional<limits::short_window> checked(std::uint32_t per_minute_of_address) {
  if (per_minute_of_address == 0) return std::nullopt;
  if (auto const limit = limits::short_window::of(limits::per_minute(per_minute_of_address))) return limit;
  throw std::invalid_argument{"an address has at most " + std::to_string(limits::short_tokens_max) +
                              " handshakes a minute"};
}

}  // namespace

handshake_budget::handshake_budget(handshake_shares shares)
    : per_minute_of_address_{checked(shares.per_minute_of_address)},
      exempt_{std::move(shares.exempt)},
      under_way_{connection_budget::unlimited, shares.under_way_of_address, exempt_},
      begun_{shares.addresses_max, limits::random_seed()} {}

handshake_budget::admission handshake_budget::begin(address const& from, limits::instant now,
                                                    std::optional<slot>& out) {
  if (under_way_.take(from) != connection_budget::admission::granted) return admission::too_many_under_way;
  slot taken{*this, from};
  if (auto const limit = limit_of(from)) {
    limits::plan const plan{.short_window = *limit, .short_refill = limits::refill::continuous};
    auto const charged = begun_.charge(limits::charging_unit(from), plan, limits::no_bans, now);
    if (charged.decision != limits::decision::admitted) return admission::too_many;
  }
  out.emplace(std::move(taken));
  return admission::granted;
}

void handshake_budget::set(handshake_shares shares) {
  auto const limit = checked(shares.per_minute_of_address);
  under_way_.set({connection_budget::unlimited, shares.under_way_of_address, shares.exempt});
  std::lock_guard const lock{mutex_};
  per_minute_of_address_ = limit;
  exempt_ = std::move(shares.exempt);
}

std::optional<limits::short_window> handshake_budget::limit_of(address const& from) const {
  std::lock_guard const lock{mutex_};
  return is_in_any(exempt_, from) ? std::nullopt : per_minute_of_address_;
}

}  // namespace petstore::server
