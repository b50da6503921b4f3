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
#include "petstore/ports/report.hpp"
#include "petstore/quota/quota_records.hpp"

namespace petstore::quota {

/// The options of quotas that are counted on one node.
struct PETSTORE_EXPORT local_options {
  /// For `open_local_quota`: where used quotas and bans are stored across restarts; nullopt: not stored.
  std::optional<std::filesystem::path> directory = {};
  limits::ban_policy bans = {};        ///< for callers that ignore refusals; durations of 0 to 31 days
  std::size_t addresses_max = 65'536;  ///< the number of addresses without a key to remember
  /// About so many identities of `payer_of` are remembered at once, 1 or more; some 170 bytes each, or 380 with
  /// records. While none of them can be forgotten, what charges another one throws boost::system::system_error
  /// (no_buffer_space), and nothing is taken. Identities that `account_of` has returned or that are stored
  /// need no such place.
  std::size_t identities_max = 1'000'000;
  /// From the start of a write to that of the next, 1 ms .. 31 days. A crash loses at most what was charged in it and
  /// during a write. Of more than 4,096 addresses that have changed, some wait for a later write.
  std::chrono::milliseconds write_interval{500};
  /// The clock of the instants that charges are given; empty: limits::now. Several threads call it at once.
  std::function<limits::instant()> clock = {};
  ports::report_function report = {};  ///< any thread
};

/// Counts quotas on this node alone. With records, counts are exact across restarts: a background thread writes the
/// changes each `write_interval`, and `close` writes the rest. Without records there is no thread, and nothing is
/// stored; the ends of operators' bans then follow a wall clock that is set with the next charge, and an account whose
/// day or month was opened in a wrong year keeps that until its end. It belongs to the component `local`, which needs
/// no LMDB; `open_local_quota` (local.hpp) stores in LMDB.
///
/// An identity that is charged through `payer_of` takes some 170 bytes, and with records some 380 and another 190 in
/// the file, from its first charge until nothing of it counts any more: no period is open, no wait, strike or ban goes
/// on, no ban began in the 24 hours before, and it was not charged for a minute; an aligned long window counts for an
/// hour after its end, since the wall clock may be set back. Then a later write forgets it with its record; without
/// records, new identities displace it. What was forgotten costs nothing but some 30 bytes for each identity of the
/// busiest time; `local_options::identities_max` bounds how many there are. An account that `account_of` returned, or
/// that an operator has banned or reset, is kept as long as this object lives. Addresses have a table of bounded size.
///
/// The file of `open_local_quota` grows to 1 GiB at most, or to 1 KiB for each of `addresses_max`, if that is more.
/// When it is full, writes fail (`quota_write_failed`) and charges go on in memory, until records are forgotten; if the
/// process ends before, what was charged meanwhile is granted again.
///
///     [open] --close()--> [closed: charges are decided and not kept]      both --destructor--> gone
///
/// Thread safety: every member from any thread, except `close` and the destructor, which one thread calls. The
/// destructor closes, so it may block like `close`; the result of `close` is then only sent to `report`.
class PETSTORE_EXPORT local_quota : public ports::quota_source {
 public:
  /// Stops the background thread, waits for it, and writes all changes. It blocks for a write to the disk; if that
  /// fails, it tries three more times, 50 ms apart. Afterwards charges still work but are not stored, and others can
  /// use the records. Returns false if none of these writes succeeded; then all charges since the last successful
  /// write are lost, which is reported as `quota_lost`. A second call does nothing and returns the same.
  [[nodiscard]] virtual bool close() = 0;

  /// Sets other rules, from the next charge on; what was announced does not change. Throws std::invalid_argument for a
  /// duration that is not from 0 to 31 days. Any thread.
  virtual void set_bans(limits::ban_policy const&) = 0;
};

/// Counts in memory, or with `records` also there: reads them, and starts the thread. Blocks while it reads, and throws
/// what they throw. Throws std::invalid_argument if an option is outside its range, or if `local_options::directory` is
/// set, which `open_local_quota` takes.
[[nodiscard]] PETSTORE_EXPORT std::unique_ptr<local_quota> make_local_quota(
    local_options, std::unique_ptr<quota_records> records = nullptr);

/// What is stored of an identity.
struct PETSTORE_EXPORT kept_quota {
  limits::saved_account account;  ///< its quotas and bans
  std::uint64_t resets = 0;       ///< as in `quota_source::account_of`

  friend bool operator==(kept_quota const&, kept_quota const&) = default;
};

/// Reads the stored quotas of each identity that has used something. Damaged records are left out.
[[nodiscard]] PETSTORE_EXPORT std::unordered_map<std::uint64_t, kept_quota> read_kept_quotas(quota_records&);

}  // namespace petstore::quota
