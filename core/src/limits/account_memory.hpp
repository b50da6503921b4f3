// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <atomic>
#include <new>

#include "account_protocol.hpp"

namespace petstore::limits {

struct account::ban_history {
  std::array<std::atomic<std::uint64_t>, detail::history_length> begun{};
};

/// The Memory of account_protocol.hpp on the words of a real account. `swap_pair` is in account.cpp, the only file that
/// is compiled with the processor's 16-byte swap.
template <class Account>
class account::memory {
 public:
  explicit memory(Account& a) noexcept : account_(a) {}

  detail::word load(detail::cell c) const noexcept { return load(c, std::memory_order_relaxed); }
  detail::word load_acquire(detail::cell c) const noexcept { return load(c, std::memory_order_acquire); }

  bool swap(detail::cell c, detail::word expected, detail::word desired) noexcept {
    if (c < detail::cell::history) return word(c).compare_exchange_strong(expected, desired);
    ban_history* const history = history_or_make();
    // Without memory for a history the ban still begins, but the next ban will not count it.
    return history == nullptr || history->begun[slot(c)].compare_exchange_strong(expected, desired);
  }
  bool swap_pair(detail::cell first, detail::word_pair expected, detail::word_pair desired) noexcept;

  /// For an account that no other thread can access yet.
  void put(detail::cell c, detail::word w) noexcept {
    if (c < detail::cell::history)
      word(c).store(w, std::memory_order_relaxed);
    else if (ban_history* const history = history_or_make(); history != nullptr)
      history->begun[slot(c)].store(w, std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t slot(detail::cell c) noexcept {
    return static_cast<std::size_t>(c) - static_cast<std::size_t>(detail::cell::history);
  }
  auto& word(detail::cell c) const noexcept { return account_.words_[static_cast<std::size_t>(c)]; }

  detail::word load(detail::cell c, std::memory_order order) const noexcept {
    if (c < detail::cell::history) return word(c).load(order);
    ban_history const* const history = account_.history_.load(std::memory_order_acquire);
    return history == nullptr ? 0 : history->begun[slot(c)].load(order);
  }

  ban_history* history_or_make() noexcept {
    ban_history* existing = account_.history_.load(std::memory_order_acquire);
    if (existing != nullptr) return existing;
    ban_history* const made = new (std::nothrow) ban_history;
    if (made == nullptr || account_.history_.compare_exchange_strong(existing, made)) return made;
    delete made;
    return existing;
  }

  Account& account_;
};

}  // namespace petstore::limits
