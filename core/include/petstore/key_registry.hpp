// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "petstore/export.hpp"
#include "petstore/key_record.hpp"
#include "petstore/limits/account.hpp"
#include "petstore/limits/plan.hpp"

namespace petstore {

/// The named plans of the configuration. The one named `free` stands in for a name that is not among them.
using plan_table = std::map<std::string, limits::plan, std::less<>>;

/// What a request needs to know of the key it carries.
struct PETSTORE_EXPORT key_entry {
  sha256_digest digest{};                  ///< by which it is found
  std::uint64_t key = 0;                   ///< its number
  std::uint64_t identity = 0;              ///< the number of its identity
  limits::account* account = nullptr;      ///< outlives every snapshot
  limits::plan plan{.per_minute = 1};      ///< with the overrides of its identity
  std::string const* plan_name = nullptr;  ///< owned by the snapshot
  key_scope scope = key_scope::write;      ///< what it may do
  std::uint32_t plan_number = 0;           ///< of its plan's name in the snapshot: below `plan_count`
  std::int64_t expires_unix_ms = 0;        ///< 0: never
  unix_ms banned_until{};                  ///< by an operator, with its identity; the epoch: it is not banned
};

/// An immutable hash table from digest to entry. Revoked keys are not in it. Any thread.
class PETSTORE_EXPORT key_snapshot {
 public:
  /// A key whose plan is not in the table gets the numbers of the table's `free`, and is listed under that name. One
  /// that has numbers of its own (per minute, per day) keeps these and its plan's name, and takes the other from
  /// `free`. Throws std::invalid_argument when such a key meets a table without `free`, std::length_error beyond
  /// 4,294,967,294 keys, and what `account_of` throws.
  key_snapshot(key_directory const&, plan_table const&,
               std::function<limits::account&(std::uint64_t identity, limits::plan const&)> const& account_of);

  /// nullptr: unknown, revoked, or expired at that time. Compares the whole digest in constant time.
  key_entry const* find(sha256_digest const&, unix_ms now) const noexcept;

  /// The same by its number. Looks at every key: for people, not for requests.
  key_entry const* find_number(std::uint64_t key, unix_ms now) const noexcept;

  /// `key_directory::version` of what it was made from.
  std::uint64_t version() const noexcept { return version_; }
  /// How many keys it has.
  std::size_t size() const noexcept { return entries_.size(); }
  /// How many names of plans its keys have.
  std::size_t plan_count() const noexcept { return plan_names_.size(); }

 private:
  /// Four of these are a cache line, so a search looks at one as a rule, wherever the entry itself lies.
  struct slot {
    limits::account* account = nullptr;  ///< of the entry: both can be fetched from memory at once
    std::uint32_t tag = 0;               ///< some bits of the digest
    std::uint32_t entry_number = 0;      ///< from 1; 0: the slot is free
  };

  std::uint64_t version_ = 0;
  std::vector<slot> slots_;  ///< open addressing, a power of two, at most two thirds full
  std::vector<key_entry> entries_;
  std::vector<std::unique_ptr<std::string>> plan_names_;
};

/// Holds the current snapshot. One writer swaps it whole; each reader keeps a `reader` and pays one relaxed load per
/// request while nothing changes.
///
/// Thread safety: `publish` from any thread; a `reader` belongs to one thread (or strand).
class PETSTORE_EXPORT key_registry {
 public:
  key_registry();

  /// Replaces the snapshot for every reader, from its next `get` on. Never waits for one.
  void publish(std::shared_ptr<key_snapshot const>);  // shared: readers drop the old one each in their own time
  /// The latest one. Takes a lock: for those who do not ask often.
  std::shared_ptr<key_snapshot const> current() const;

  /// One thread's way to the snapshot.
  class reader {
   public:
    /// The registry outlives it.
    explicit reader(key_registry const&);
    reader(key_registry&&) = delete;  ///< the registry would be gone at the end of the line
    key_snapshot const& get();        ///< valid until the next call

   private:
    key_registry const& registry_;
    std::uint64_t generation_ = 0;
    std::shared_ptr<key_snapshot const> held_;
  };

 private:
  std::atomic<std::uint64_t> generation_{1};
  mutable std::mutex mutex_;
  std::shared_ptr<key_snapshot const> current_;
};

}  // namespace petstore
