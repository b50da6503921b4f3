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

/// The named plans of the configuration. The plan `free` replaces a name that is not in the table.
using plan_table = std::map<std::string, limits::plan, std::less<>>;

/// The plan that an identity has: its numbers, and the name that answers show.
struct PETSTORE_EXPORT plan_in_force {
  std::string name;                             ///< of the table, or that of the identity if it has its own quota
  limits::plan numbers{limits::per_minute(1)};  ///< with the overrides of the identity
};
/// An identity whose plan is not in the table gets the plan `free` of the table, with that name. An identity that has
/// its own quota (per minute or per day) keeps it and its plan's name, and takes the other quota from `free`. Throws
/// std::invalid_argument if it needs a `free` that the table does not have, or if a quota of its own is outside its
/// range or makes a plan that is not sound. Any thread.
PETSTORE_EXPORT plan_in_force plan_of(identity_record const&, plan_table const&);

/// The data of a key that a request needs.
struct PETSTORE_EXPORT key_entry {
  sha256_digest digest{};                    ///< to find the entry
  std::uint64_t key = 0;                     ///< its number
  std::uint64_t identity = 0;                ///< the number of its identity
  limits::account* account = nullptr;        ///< outlives every snapshot
  limits::plan plan{limits::per_minute(1)};  ///< with the overrides of its identity
  std::string const* plan_name = nullptr;    ///< owned by the snapshot
  key_scope scope = key_scope::write;        ///< the permissions of the key
  std::uint32_t plan_number = 0;             ///< the number of its plan's name in the snapshot: below `plan_count`
  std::int64_t expires_unix_ms = 0;          ///< 0: never
  unix_ms banned_until{};                    ///< by an operator, with its identity; the epoch: not banned
};

/// An immutable hash table from digest to entry. Revoked keys are not in it. Any thread.
class PETSTORE_EXPORT key_snapshot {
 public:
  /// Each key has the plan of its identity (`plan_of`). `resets` is `identity_record::quota_resets`. An identity with a
  /// quota outside its range, or one that makes a plan that is not sound, is left out with its keys. Throws
  /// std::invalid_argument if the table lacks a `free` that an identity needs, std::length_error beyond 4,294,967,294
  /// keys, and the exceptions of `account_of`.
  key_snapshot(key_directory const&, plan_table const&,
               std::function<limits::account&(std::uint64_t identity, limits::plan const&, std::uint64_t resets)> const&
                   account_of);

  /// Returns nullptr if the key is unknown, revoked, or expired at that time. Compares the whole digest in constant
  /// time.
  key_entry const* find(sha256_digest const&, unix_ms now) const noexcept;

  /// The `key_directory::version` that it was made from.
  std::uint64_t version() const noexcept { return version_; }
  /// The number of keys.
  std::size_t size() const noexcept { return entries_.size(); }
  /// The keys, in no particular order.
  std::vector<key_entry> const& entries() const noexcept { return entries_; }
  /// The numbers of the identities that were left out.
  std::vector<std::uint64_t> const& left_out() const noexcept { return left_out_; }
  /// The number of different plan names of its keys.
  std::size_t plan_count() const noexcept { return plan_names_.size(); }

 private:
  /// A cache line holds four of these, so a search usually reads one line, wherever the entry itself is.
  struct slot {
    limits::account* account = nullptr;  ///< of the entry: both can be fetched from memory at the same time
    std::uint32_t tag = 0;               ///< some bits of the digest
    std::uint32_t entry_number = 0;      ///< from 1; 0: the slot is free
  };

  std::uint32_t number_of_plan(std::string const& name);
  void insert(key_entry);

  std::uint64_t version_ = 0;
  std::vector<slot> slots_;  ///< open addressing, a power of two, at most two thirds full
  std::vector<key_entry> entries_;
  std::vector<std::uint64_t> left_out_;
  std::vector<std::unique_ptr<std::string>> plan_names_;
};

/// Holds the current snapshot. A writer replaces the whole snapshot. Each thread uses a `reader`, which costs one
/// relaxed load for each request while nothing changes.
///
/// Thread safety: `publish` from any thread; a `reader` belongs to one thread (or strand).
class PETSTORE_EXPORT key_registry {
 public:
  key_registry();

  /// Replaces the snapshot for every reader, from its next `get` on. It never waits for a reader.
  void publish(std::shared_ptr<key_snapshot const>);  // shared: each reader drops the old one at its next `get`
  /// The latest snapshot. It takes a lock, so it is for rare calls.
  std::shared_ptr<key_snapshot const> current() const;

  /// One thread's access to the snapshot.
  class reader {
   public:
    /// The registry must outlive it.
    explicit reader(key_registry const&);
    reader(key_registry&&) = delete;  ///< a temporary registry would be destroyed at once
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
