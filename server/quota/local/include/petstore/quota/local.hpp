// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "petstore/export.hpp"
#include "petstore/limits/account.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/plan.hpp"
#include "petstore/ports/quota_source.hpp"

namespace petstore::quota {

/// How quotas are counted on one node.
struct PETSTORE_EXPORT local_options {
  /// Where consumed quotas and bans are kept across restarts; nullopt: nowhere (with the memory store).
  std::optional<std::filesystem::path> directory = {};
  limits::ban_policy bans = {};                   ///< for those who ignore refusals
  std::size_t addresses_max = 65'536;             ///< addresses without a key that are remembered
  std::chrono::milliseconds write_interval{500};  ///< a crash forgets at most this much, and never more than a second
  std::function<limits::instant()> clock = {};    ///< empty: limits::now
  std::function<void(std::string_view event, std::string_view detail)> report = {};  ///< any thread
};

/// Quotas counted on this node alone; with a directory exact across restarts: a thread of its own writes what changed,
/// each `write_interval`, and `close` writes the rest. Without a directory there is no thread, and nothing is kept. Of
/// the component `lmdb`, which the directory needs.
///
/// An identity that was ever asked for keeps its account as long as this lives, so there should be no more of them than
/// keys or customers; addresses have a table of bounded size.
///
///     [open] --close()--> [closed: charges are decided and not kept]      both --destructor--> gone
///
/// Thread safety: every member from any thread, but `close` and the destructor, which one thread calls. The destructor
/// closes, and so may block as `close` does; what `close` would have returned nobody learns then but `report`.
class PETSTORE_EXPORT local_quota : public ports::quota_source {
 public:
  /// Stops the background thread, waits for it, and writes everything that changed: blocks for a write of the disk, and
  /// where that fails tries three times more, 50 ms apart. After it, charges still work and are not kept, and the
  /// directory is free for others. false: none of these writes succeeded; what was charged since the last one that did
  /// is lost, and reported as `quota_lost`. A second call does nothing and returns the same.
  virtual bool close() = 0;

  /// Other rules, from the next charge on; what was announced stays as it was. Any thread.
  virtual void set_bans(limits::ban_policy const&) = 0;
};

/// Opens or creates the directory, which belongs to one source at a time, reads what it keeps and starts the thread.
/// Blocks meanwhile. Throws std::runtime_error with a sentence that names the directory and the cause: it is in use,
/// not empty, or cannot be read or written. Without a directory there is nothing to open.
PETSTORE_EXPORT std::unique_ptr<local_quota> open_local_quota(local_options);

/// What a directory that nobody has open holds of each identity that was ever charged: a copy of a server's, for
/// example. Damaged records are left out. Throws as `open_local_quota` does.
PETSTORE_EXPORT std::unordered_map<std::uint64_t, limits::saved_account> read_kept_quotas(
    std::filesystem::path const& directory);

}  // namespace petstore::quota
