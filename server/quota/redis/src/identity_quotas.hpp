// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "petstore/limits/account.hpp"
#include "quota_names.hpp"
#include "shared_quota.hpp"

namespace petstore::quota {

/// The account that `account_of` returns. Most keys are not used on most nodes, so the shared quota is created when it
/// is first needed.
class identity_account : public limits::account {
 public:
  ~identity_account() { delete quota_.load(std::memory_order_acquire); }

  shared_quota& quota() {
    shared_quota* known = quota_.load(std::memory_order_acquire);
    if (known != nullptr) return *known;
    auto made = std::make_unique<shared_quota>(names_->key_of(name_of(who_)), *this, shared_quota::owner::identity);
    if (quota_.compare_exchange_strong(known, made.get())) known = made.release();
    return *known;
  }
  shared_quota const* find_quota() const noexcept { return quota_.load(std::memory_order_acquire); }

 private:
  friend class identity_quotas;

  std::atomic<shared_quota*> quota_{nullptr};  // owned; never replaced
  // Written once, before the account is handed out; then any thread reads them.
  shared_identity who_;
  quota_names const* names_ = nullptr;
  identity_account* newest_ = nullptr;  // of the first account of an identity, after a reset; under the table's mutex

  identity_account& now() noexcept { return newest_ ? *newest_ : *this; }
};

/// The accounts of identities. An account is looked up once, when keys are read, and then used through a pointer.
///
/// Thread safety: any thread.
class identity_quotas {
 public:
  explicit identity_quotas(quota_names names) : names_(std::move(names)) {}

  /// The account after that many resets, which begin a new one; with fewer than before: the newest.
  identity_account& account_of(shared_identity const& who) {
    std::lock_guard const lock(mutex_);
    identity_account*& known = first_of_[who.number];
    if (known == nullptr) known = &accounts_.emplace_back();
    identity_account& first = *known;
    bool const is_known = first.names_ != nullptr;
    if (is_known && first.now().who_.resets < who.resets) first.newest_ = &renewed_.emplace_back();
    identity_account& found = first.now();
    if (found.names_ == nullptr) found.who_ = who, found.names_ = &names_;
    return found;
  }
  /// The newest account.
  identity_account& account_of(std::uint64_t identity) { return account_of(shared_identity{identity, 0}); }
  /// The quota with this key on the server, or null if this node never used it.
  shared_quota* find(std::string_view key) {
    auto const name = names_.name_in(key);
    auto const who = name ? identity_in(*name) : std::nullopt;
    if (!who) return nullptr;
    std::lock_guard const lock(mutex_);
    auto const place = first_of_.find(who->number);
    if (place == first_of_.end() || place->second == nullptr) return nullptr;
    identity_account& first = *place->second;
    for (identity_account* const known : {&first, &first.now()})
      if (known->who_.resets == who->resets) return known->quota_.load(std::memory_order_acquire);
    return nullptr;
  }

  /// The parts of the table, which together have all quotas that this node uses. New parts are added at the end.
  std::size_t parts() const {
    std::lock_guard const lock(mutex_);
    return (accounts_.size() + part_size - 1) / part_size;
  }
  template <class Visit>
  void visit_part(std::size_t number, Visit const& visit) {
    for (shared_quota* const quota : quotas_in(number))
      if (quota != nullptr) visit(*quota);
  }

 private:
  static constexpr std::size_t part_size = 64;

  std::array<shared_quota*, part_size> quotas_in(std::size_t part) {
    std::array<shared_quota*, part_size> quotas{};
    std::lock_guard const lock(mutex_);
    auto const begin = part * part_size, end = std::min(accounts_.size(), begin + part_size);
    for (auto i = begin; i < end; ++i) quotas[i - begin] = accounts_[i].now().quota_.load(std::memory_order_acquire);
    return quotas;
  }

  quota_names const names_;
  mutable std::mutex mutex_;
  std::deque<identity_account> accounts_;  // the first of each identity, in the order in which they were made
  boost::unordered_flat_map<std::uint64_t, identity_account*> first_of_;  // by identity; null where memory ran out
  std::deque<identity_account> renewed_;  // by resets; also those that newer ones replaced, since calls may use them
};

}  // namespace petstore::quota
