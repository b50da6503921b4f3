// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/lease.hpp"

#include "lease_protocol.hpp"

namespace petstore::limits {

/// The Memory of lease_protocol.hpp on the words of a real lease.
template <class Lease>
class lease::memory {
 public:
  explicit memory(Lease& l) noexcept : words_(l.words_) {}

  detail::word load(detail::lease_cell c) const noexcept { return word(c).load(std::memory_order_acquire); }
  bool swap(detail::lease_cell c, detail::word expected, detail::word desired) noexcept {
    return word(c).compare_exchange_strong(expected, desired);
  }
  detail::word read(std::size_t cell) const noexcept { return words_[cell].load(std::memory_order_acquire); }
  void write(std::size_t cell, detail::word w) noexcept { words_[cell].store(w, std::memory_order_release); }

 private:
  auto& word(detail::lease_cell c) const noexcept { return words_[static_cast<std::size_t>(c)]; }

  decltype((std::declval<Lease&>().words_)) words_;
};

lease::decision lease::charge(plan const& p, cost tokens, instant now) noexcept {
  memory<lease> m(*this);
  return detail::lease_charge(m, p, tokens, now, detail::asked::before);
}

lease::decision lease::charge_after_asking(plan const& p, cost tokens, instant now) noexcept {
  memory<lease> m(*this);
  return detail::lease_charge(m, p, tokens, now, detail::asked::just_now);
}

lease::decision lease::charge_held(cost tokens, instant now) noexcept {
  memory<lease> m(*this);
  return detail::lease_charge_held(m, tokens, now);
}

lease::decision lease::observe(plan const& p, instant now) const noexcept {
  memory<lease const> m(*this);
  return detail::lease_observe(m, p, now, detail::held_tokens::unused);
}

lease::decision lease::observe_debited(plan const& p, instant now) const noexcept {
  memory<lease const> m(*this);
  return detail::lease_observe(m, p, now, detail::held_tokens::used);
}

lease::decision lease::refund(verdict const& charged, instant now) noexcept {
  memory<lease> m(*this);
  return detail::lease_refund(m, charged, now);
}

std::uint32_t lease::install(lease_terms const& terms, std::uint32_t granted, bool keep) noexcept {
  memory<lease> m(*this);
  return detail::lease_install(m, terms, granted, keep);
}

std::uint32_t lease::take_back() noexcept {
  memory<lease> m(*this);
  return detail::lease_take_back(m);
}

void lease::put_back(std::uint32_t tokens) noexcept {
  memory<lease> m(*this);
  detail::lease_put_back(m, tokens);
}

std::uint32_t lease::tokens() const noexcept {
  memory<lease const> m(*this);
  return static_cast<std::uint32_t>(detail::lease_tokens(m.load(detail::lease_cell::tokens)));
}

bool lease::lies_idle(instant now) const noexcept {
  memory<lease const> m(*this);
  detail::word const w = m.load(detail::lease_cell::tokens);
  if (detail::lease_tokens(w) == 0) return false;
  auto const use = m.read(detail::lease_slot_cell(detail::lease_number(w), detail::lease_cell::use));
  return !detail::is_before(now, use >> detail::lease_token_bits);
}

}  // namespace petstore::limits
