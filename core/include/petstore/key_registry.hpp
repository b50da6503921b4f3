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

#include "petstore/key_record.hpp"
#include "petstore/limits/account.hpp"
#include "petstore/limits/plan.hpp"

namespace petstore {

/// The named plans of the configuration.
using plan_table = std::map<std::string, limits::plan, std::less<>>;

/// What a request needs to know of the key it carries.
struct key_entry {
  sha256_digest digest{};
  std::uint64_t key = 0;
  std::uint64_t identity = 0;
  limits::account* account = nullptr;  ///< outlives every snapshot
  limits::plan plan;
  std::string const* plan_name = nullptr;  ///< owned by the snapshot
  key_scope scope = key_scope::write;
  std::int64_t expires_unix_ms = 0;  ///< 0: never
};

/// An immutable hash table from digest to entry. Revoked keys are not in it. Any thread.
class key_snapshot {
 public:
  /// A key whose plan is not in the table, and has no numbers of its own, gets the table's `free`. Throws
  /// std::length_error beyond 4,294,967,294 keys.
  key_snapshot(key_directory const&, plan_table const&,
               std::function<limits::account&(std::uint64_t identity, limits::plan const&)> const& account_of);

  /// nullptr: unknown, revoked, or expired at that time. Compares the whole digest in constant time.
  key_entry const* find(sha256_digest const&, unix_ms now) const noexcept;

  std::uint64_t version() const noexcept { return version_; }
  std::size_t size() const noexcept { return entries_.size(); }

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
class key_registry {
 public:
  key_registry();

  void publish(std::shared_ptr<key_snapshot const>);  // shared: readers drop the old one each in their own time
  std::shared_ptr<key_snapshot const> current() const;

  class reader {
   public:
    explicit reader(key_registry const&);
    key_snapshot const& get();  ///< valid until the next call

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
