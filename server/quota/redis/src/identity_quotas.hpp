// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <atomic>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "petstore/limits/account.hpp"
#include "shared_quota.hpp"

namespace petstore::quota {

/// The account that `account_of` hands out. Most keys are not used on most nodes, so what is shared is made when it is
/// first charged.
class identity_account : public limits::account {
 public:
  ~identity_account() { delete quota_.load(std::memory_order_acquire); }

  shared_quota& quota() {
    shared_quota* known = quota_.load(std::memory_order_acquire);
    if (known != nullptr) return *known;
    auto made = std::make_unique<shared_quota>(*prefix_ + std::to_string(number_) + std::string(key_end), *this,
                                               shared_quota::owner::identity);
    if (quota_.compare_exchange_strong(known, made.get())) known = made.release();
    return *known;
  }
  shared_quota const* find_quota() const noexcept { return quota_.load(std::memory_order_acquire); }

 private:
  friend class identity_quotas;

  std::atomic<shared_quota*> quota_{nullptr};  // owned; never replaced
  std::uint64_t number_ = 0;
  std::string const* prefix_ = nullptr;  // of the server's keys
};

/// The accounts of identities: found once, when keys are read, and charged through their addresses.
///
/// Thread safety: any thread.
class identity_quotas {
 public:
  /// `prefix`: of the server's keys, up to the number.
  explicit identity_quotas(std::string prefix) : prefix_(std::move(prefix)) {}

  identity_account& account_of(std::uint64_t identity) {
    std::lock_guard const lock(mutex_);
    auto& neighbours = blocks_[identity / block_size];
    if (!neighbours) {
      auto made = std::make_unique<block>();
      order_.push_back(made.get());
      neighbours = std::move(made);
    }
    identity_account& found = (*neighbours)[identity % block_size];
    if (found.prefix_ == nullptr) found.number_ = identity, found.prefix_ = &prefix_;  // once: then any thread reads it
    return found;
  }
  /// By the server's key; null when it was never charged here.
  shared_quota* find(std::string_view key) {
    if (!key.starts_with(prefix_) || !key.ends_with(key_end)) return nullptr;
    key.remove_prefix(prefix_.size());
    key.remove_suffix(key_end.size());
    std::uint64_t identity = 0;
    auto const [end, error] = std::from_chars(key.data(), key.data() + key.size(), identity);
    if (error != std::errc{} || end != key.data() + key.size()) return nullptr;
    std::lock_guard const lock(mutex_);
    auto const neighbours = blocks_.find(identity / block_size);
    if (neighbours == blocks_.end()) return nullptr;
    return (*neighbours->second)[identity % block_size].quota_.load(std::memory_order_acquire);
  }

  /// All quotas that were ever charged, a part at a time. Parts are added at the end.
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
  /// Identities are numbered one after the other, so neighbours live together.
  static constexpr std::size_t block_size = 64;
  using block = std::array<identity_account, block_size>;

  block& block_at(std::size_t number) const {
    std::lock_guard const lock(mutex_);
    return *order_[number];
  }

  std::string const prefix_;
  mutable std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::unique_ptr<block>> blocks_;  // by the number of the block
  std::vector<block*> order_;                                         // as they were made
};

}  // namespace petstore::quota
