// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/address_table.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "petstore/limits/keyed_hash.hpp"

namespace petstore::limits {
namespace {

constexpr std::size_t shards_max = 64;
constexpr std::size_t shard_entries_min = 256;  ///< a smaller table has fewer shards, so that they fill evenly
constexpr std::size_t overflow_accounts = 256;

/// The number of the least recently charged entries that are tried for an eviction, which bounds the cost of many new
/// addresses. An entry that was tried and cannot be evicted moves to the other end of the queue, so the next attempt
/// tries others.
constexpr int eviction_tries = 8;

/// How long a shard that could evict nothing does not try again. With very many new addresses all tries would fail, and
/// reading eight entries costs more than the rest of a charge.
constexpr std::chrono::nanoseconds pause_after_full = std::chrono::milliseconds{1};

constexpr std::uint32_t none = ~std::uint32_t{0};

struct entry {
  limits::account account;
  limits::address address;
  std::uint64_t hash = 0;
  std::uint32_t next_in_chain = none;
  std::uint32_t older = none;
  std::uint32_t newer = none;
};

/// How many entries are saved while the mutex of their shard is held.
constexpr std::size_t entries_per_hold = 64;

/// One part of the table under one mutex. The mutex is held for the few dozen nanoseconds of a look-up and a charge,
/// because an entry must not be given to another address in between; and for some microseconds to save a few entries.
class shard {
 public:
  /// `capacity` must be a power of two.
  void set_capacity(std::size_t capacity) { chains_.assign(capacity, none); }

  account* find(address const& a, std::uint64_t hash) {
    std::uint32_t const i = index_of(a, hash);
    return i == none ? nullptr : &entries_[i].account;
  }
  account const* find(address const& a, std::uint64_t hash) const {
    std::uint32_t const i = index_of(a, hash);
    return i == none ? nullptr : &entries_[i].account;
  }

  /// Finds the account and marks it as the most recently used, or makes it; null if the shard is full.
  account* find_or_make(address const& a, std::uint64_t hash, instant now) {
    std::uint32_t const found = index_of(a, hash);
    if (found == none) return make(a, hash, now);
    touch(found);
    return &entries_[found].account;
  }

  /// For an address without an entry; null if the shard is full.
  account* make(address const& a, std::uint64_t hash, instant now) {
    std::uint32_t i = none;
    if (entries_.size() < chains_.size()) {
      i = static_cast<std::uint32_t>(entries_.size());
      entries_.emplace_back();
    } else {
      i = evict(now);
      if (i == none) return nullptr;
    }
    entry& made = entries_[i];
    made.address = a;
    made.hash = hash;
    made.next_in_chain = std::exchange(chains_[chain_of(hash)], i);
    push_newest(i);
    return &made.account;
  }

  bool can_add(instant now) const {
    if (entries_.size() < chains_.size()) return true;
    if (now.boot < look_again_) return false;
    std::uint32_t i = oldest_;
    for (int tries = 0; tries < eviction_tries && i != none; ++tries, i = entries_[i].newer)
      if (entries_[i].account.forgettable(now)) return true;
    return false;
  }

  /// Whether every address that was charged here still has the account that was charged.
  charged_account kept() const { return was_full_ ? charged_account::likely : charged_account::certain; }

  std::mutex& mutex() const { return mutex_; }
  std::deque<entry> const& entries() const { return entries_; }

 private:
  // The low bits of a hash choose the shard, the high bits the chain.
  std::size_t chain_of(std::uint64_t hash) const { return (hash >> 32) & (chains_.size() - 1); }

  std::uint32_t index_of(address const& a, std::uint64_t hash) const {
    std::uint32_t i = chains_[chain_of(hash)];
    while (i != none && entries_[i].address != a) i = entries_[i].next_in_chain;
    return i;
  }

  std::uint32_t evict(instant now) {
    was_full_ = true;
    if (now.boot < look_again_) return none;
    for (int tries = 0; tries < eviction_tries; ++tries) {
      std::uint32_t const i = oldest_;
      if (!entries_[i].account.forgettable(now)) {
        touch(i);
        continue;
      }
      unlink(i);
      std::uint32_t* link = &chains_[chain_of(entries_[i].hash)];
      while (*link != i) link = &entries_[*link].next_in_chain;
      *link = entries_[i].next_in_chain;
      std::destroy_at(&entries_[i].account);
      std::construct_at(&entries_[i].account);
      return i;
    }
    look_again_ = now.boot + pause_after_full;
    return none;
  }

  void touch(std::uint32_t i) {
    if (i == newest_) return;
    unlink(i);
    push_newest(i);
  }
  void unlink(std::uint32_t i) {
    entry& e = entries_[i];
    (e.older == none ? oldest_ : entries_[e.older].newer) = e.newer;
    (e.newer == none ? newest_ : entries_[e.newer].older) = e.older;
  }
  void push_newest(std::uint32_t i) {
    entries_[i].older = newest_;
    entries_[i].newer = none;
    (newest_ == none ? oldest_ : entries_[newest_].newer) = i;
    newest_ = i;
  }

  mutable std::mutex mutex_;
  std::deque<entry> entries_;  // grows up to the capacity; entries keep their addresses
  std::vector<std::uint32_t> chains_;
  std::uint32_t oldest_ = none;
  std::uint32_t newest_ = none;
  bool was_full_ = false;
  boot_time look_again_{};
};

/// An address that shares its account is not banned, since the strikes may be those of others.
ban_policy without_bans(ban_policy policy) {
  policy.strikes = 0;
  return policy;
}

}  // namespace

struct address_table::impl {
  impl(std::size_t capacity_max, std::uint64_t seed) : hash(seed) {
    std::size_t const capacity = std::bit_ceil(std::max<std::size_t>(1, capacity_max));
    std::size_t const count = std::clamp<std::size_t>(capacity / shard_entries_min, 1, shards_max);
    shards = std::vector<shard>(count);
    for (shard& s : shards) s.set_capacity(capacity / count);
  }

  shard& shard_of(std::uint64_t h) { return shards[h & (shards.size() - 1)]; }
  account& overflow_of(std::uint64_t h) { return overflow[h % overflow.size()]; }

  keyed_hash hash;
  std::vector<shard> shards;
  std::vector<account> overflow = std::vector<account>(overflow_accounts);
};

address_table::address_table(std::size_t capacity_max, std::uint64_t seed)
    : impl_(std::make_unique<impl>(capacity_max, seed)) {}
address_table::~address_table() = default;

verdict address_table::charge(address const& a, plan const& p, ban_policy const& policy, cost tokens, instant now) {
  std::uint64_t const hash = impl_->hash(a);
  shard& s = impl_->shard_of(hash);
  {
    std::lock_guard const lock(s.mutex());
    if (account* const own = s.find_or_make(a, hash, now); own != nullptr) return own->charge(p, policy, tokens, now);
  }
  return impl_->overflow_of(hash).charge(p, without_bans(policy), tokens, now);
}

verdict address_table::observe(address const& a, plan const& p, instant now) const {
  std::uint64_t const hash = impl_->hash(a);
  shard const& s = impl_->shard_of(hash);
  {
    std::lock_guard const lock(s.mutex());
    if (account const* const own = s.find(a, hash); own != nullptr) return own->observe(p, now);
    if (s.can_add(now)) return account{}.observe(p, now);
  }
  return impl_->overflow_of(hash).observe(p, now);
}

verdict address_table::refund(address const& a, verdict const& charged, plan const& p, instant now) {
  std::uint64_t const hash = impl_->hash(a);
  shard& s = impl_->shard_of(hash);
  charged_account which;
  {
    std::lock_guard const lock(s.mutex());
    which = s.kept();
    if (account* const own = s.find(a, hash); own != nullptr) return own->refund(charged, p, now, which);
  }
  return impl_->overflow_of(hash).refund(charged, p, now, which);
}

void address_table::for_each(plan const& p, instant now,
                             std::function<void(address const&, saved_account const&)> const& visit) const {
  std::vector<std::pair<address, saved_account>> kept;
  kept.reserve(entries_per_hold);
  for (shard const& s : impl_->shards) {
    for (std::size_t next = 0, size = 1; next < size;) {
      kept.clear();
      {
        std::lock_guard const lock(s.mutex());
        size = s.entries().size();
        for (std::size_t const end = std::min(next + entries_per_hold, size); next < end; ++next)
          if (entry const& e = s.entries()[next]; !e.account.forgettable(now) || e.account.remembers_bans(now))
            kept.emplace_back(e.address, e.account.save(p, now));
      }
      for (auto const& [a, saved] : kept) visit(a, saved);  // outside the lock: it may write to a disk
    }
  }
}

bool address_table::restore(address const& a, saved_account const& saved, plan const& p, ban_policy const& policy,
                            instant now) {
  std::uint64_t const hash = impl_->hash(a);
  shard& s = impl_->shard_of(hash);
  std::lock_guard const lock(s.mutex());
  if (s.find(a, hash) != nullptr) return false;
  account* const made = s.make(a, hash, now);
  if (made != nullptr) made->restore(saved, p, policy, now);
  return made != nullptr;
}

std::size_t address_table::size() const noexcept {
  std::size_t count = 0;
  for (shard const& s : impl_->shards) {
    std::lock_guard const lock(s.mutex());
    count += s.entries().size();
  }
  return count;
}

}  // namespace petstore::limits
