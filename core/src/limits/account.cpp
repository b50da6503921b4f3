// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/account.hpp"

#include <cassert>
#include <utility>

#include "account_memory.hpp"

namespace petstore::limits {
namespace {

/// The time on the boot clock, at most the largest one that its words can store.
boot_time on_boot_clock(wall_time until, instant now) noexcept {
  auto const longest = detail::boot_at(detail::time_ms_max) - now.boot;
  return now.boot + std::min(until - now.wall, longest);
}

}  // namespace

// This leaves the C++ memory model: a 16-byte compare-and-swap over two std::atomic<uint64_t> that are also loaded
// separately, 8 bytes at a time. The language does not define mixed sizes; the processors do. On x86-64 a LOCK
// CMPXCHG16B and an aligned 8-byte load are both single accesses of one cache line, in one total order, and ARM64 (LSE2
// or CASP) guarantees the same for aligned halves. std::atomic of 16 bytes is not used because g++ calls libatomic for
// it even with -mcx16, and because its load is itself a locked operation. Only this file is compiled with -mcx16, and
// no type of that size appears in a header, so a program that uses the library needs no flag.
template <class Account>
bool account::memory<Account>::swap_pair(detail::cell first, detail::word_pair expected,
                                         detail::word_pair desired) noexcept {
  __extension__ using double_word [[gnu::may_alias]] = unsigned __int128;
  static_assert(sizeof(std::atomic<detail::word>) == sizeof(detail::word) &&
                std::atomic<detail::word>::is_always_lock_free);
  constexpr auto joined = [](detail::word_pair p) {
    static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
    return static_cast<double_word>(p.second) << 64 | p.first;
  };
  return __sync_bool_compare_and_swap(reinterpret_cast<double_word*>(&word(first)), joined(expected), joined(desired));
}

account::~account() {
  delete history_.load(std::memory_order_acquire);
}

verdict account::charge(plan const& p, ban_policy const& policy, instant now) noexcept {
  memory<account> m(*this);
  return detail::charge(m, p, policy, now);
}

verdict account::charge(plan const& p, ban_policy const& policy, cost tokens, instant now) noexcept {
  if (tokens == cost{1}) return charge(p, policy, now);  // most requests; the compiler knows the number there
  memory<account> m(*this);
  return detail::charge(m, p, policy, now, tokens);
}

verdict account::peek(plan const& p, cost tokens, instant now) const noexcept {
  memory<account const> m(*this);
  return detail::peek(m, p, now, tokens);
}

verdict account::observe(plan const& p, instant now) const noexcept {
  memory<account const> m(*this);
  return detail::observe(m, p, now);
}

verdict account::refund(verdict const& charged, plan const& p, instant now, charged_account which) noexcept {
  memory<account> m(*this);
  verdict const v = detail::refund(m, charged, p, now, which);
  assert(v.occasion != occasion::mistaken_refund && "what is given back was not taken from this account");
  return v;
}

verdict account::refund(verdict& charged, plan const& p, instant now, charged_account which) noexcept {
  verdict const v = refund(std::as_const(charged), p, now, which);
  if (charged.admitted() && charged.occasion == occasion::charge) charged.occasion = occasion::refund;
  return v;
}

verdict account::charge_inquiry(plan const& p, instant now) noexcept {
  memory<account> m(*this);
  return detail::charge_inquiry(m, p, now);
}

void account::impose_ban(wall_time until, instant now) noexcept {
  memory<account> m(*this);
  detail::impose_ban(m, on_boot_clock(until, now));
}

void account::move_ban(wall_time until, instant imposed_at, instant now) noexcept {
  memory<account> m(*this);
  detail::move_ban(m, on_boot_clock(until, imposed_at), on_boot_clock(until, now));
}

void account::lift_ban() noexcept {
  memory<account> m(*this);
  detail::lift_ban(m);
}

void account::leave_wrong_period(plan const& p, instant now) noexcept {
  memory<account> m(*this);
  detail::leave_wrong_period(m, p, now);
}

bool account::banned(instant now) const noexcept {
  memory<account const> m(*this);
  return detail::ban_left(m, now).count() > 0;
}

}  // namespace petstore::limits
