// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "petstore/limits/account.hpp"
#include "petstore/whole_number.hpp"
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
    auto made =
        std::make_unique<shared_quota>(names_->key_of(std::to_string(number_)), *this, shared_quota::owner::identity);
    if (quota_.compare_exchange_strong(known, made.get())) known = made.release();
    return *known;
  }
  shared_quota const* find_quota() const noexcept { return quota_.load(std::memory_order_acquire); }

 private:
  friend class identity_quotas;

  std::atomic<shared_quota*> quota_{nullptr};  // owned; never replaced
  std::uint64_t number_ = 0;
  quota_names const* names_ = nullptr;
};

/// The accounts of identities. An account is looked up once, when keys are read, and then used through a pointer.
///
/// Thread safety: any thread.
class identity_quotas {
 public:
  explicit identity_quotas(quota_names names) : names_(std::move(names)) {}

  identity_account& account_of(std::uint64_t identity) {
    std::lock_guard const lock(mutex_);
    auto& neighbours = blocks_[identity / block_size];
    if (!neighbours) {
      auto made = std::make_unique<block>();
      order_.push_back(made.get());
      neighbours = std::move(made);
    }
    identity_account& found = (*neighbours)[identity % block_size];
    if (found.names_ == nullptr) found.number_ = identity, found.names_ = &names_;  // once; then any thread reads them
    return found;
  }
  /// The quota with this key on the server, or null if this node never used it.
  shared_quota* find(std::string_view key) {
    auto const name = names_.name_in(key);
    auto const identity = name ? whole_number<std::uint64_t>(*name) : std::nullopt;
    if (!identity) return nullptr;
    std::lock_guard const lock(mutex_);
    auto const neighbours = blocks_.find(*identity / block_size);
    if (neighbours == blocks_.end()) return nullptr;
    return (*neighbours->second)[*identity % block_size].quota_.load(std::memory_order_acquire);
  }

  /// The parts of the table, which together have all quotas that this node ever used. New parts are added at the end.
  std::size_t parts() const {
    std::lock_guard const lock(mutex_);
    return order_.size();
  }
  template <class Visit>
  void visit_part(std::size_t number, Visit const& visit) {
    for (identity_account& account : block_at(number))
      if (shared_quota* const quota = account.quota_.load(std::memory_order_acquire)) visit(*quota);
  }

 private:
  /// Identities have consecutive numbers, so a block stores neighbours together.
  static constexpr std::size_t block_size = 64;
  using block = std::array<identity_account, block_size>;

  block& block_at(std::size_t number) const {
    std::lock_guard const lock(mutex_);
    return *order_[number];
  }

  quota_names const names_;
  mutable std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::unique_ptr<block>> blocks_;  // by the number of the block
  std::vector<block*> order_;                                         // in the order of their creation
};

}  // namespace petstore::quota
