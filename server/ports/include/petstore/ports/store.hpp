// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "petstore/category.hpp"
#include "petstore/error.hpp"
#include "petstore/etag.hpp"
#include "petstore/export.hpp"
#include "petstore/key_record.hpp"
#include "petstore/list_query.hpp"
#include "petstore/order.hpp"
#include "petstore/pet.hpp"
#include "petstore/ports/eventual.hpp"

namespace petstore::ports {

namespace asio = boost::asio;

/// Makes a creation repeatable (Idempotency-Key). Kept for 24 h with the effect's transaction.
struct PETSTORE_EXPORT idempotency {
  std::uint64_t identity = 0;  ///< who asks; keys of the same identity share them
  std::string key;             ///< 1 to 255 visible ASCII characters
  sha256_digest body_digest;   ///< of the request's body bytes
};
/// How long an answer is repeated; the store may forget it then.
inline constexpr std::chrono::hours idempotency_kept{24};

/// What a write left in the store.
struct PETSTORE_EXPORT stored {
  std::int64_t id = 0;    ///< of the record
  entity_tag tag;         ///< of the record as it is now
  std::string json;       ///< canonical, as answered
  bool replayed = false;  ///< nothing was done: this is the first answer again
};

/// What a page says of its successor: the last id of this page when there is one.
struct PETSTORE_EXPORT page_end {
  std::optional<std::int64_t> next_after;  ///< `after` of the next page; nullopt: this is the last one
  std::uint32_t count = 0;                 ///< records on this page
};

/// The highest id ever given to each kind of record, deleted ones included.
struct PETSTORE_EXPORT last_ids {
  std::int64_t category = 0;  ///< 0: there never was one
  std::int64_t pet = 0;       ///< 0: there never was one
  std::int64_t order = 0;     ///< 0: there never was one

  friend bool operator==(last_ids const&, last_ids const&) = default;
};

/// A record of an import: id as given. `last_ids` raises the sequences, so that an id that was given out and deleted
/// where the records come from is not given out again here.
using import_record = std::variant<pet, category, order, last_ids>;

/// What an export holds, known before its first record.
struct PETSTORE_EXPORT export_summary {
  std::uint64_t categories = 0;  ///< how many there are
  std::uint64_t pets = 0;        ///< how many there are
  std::uint64_t orders = 0;      ///< how many there are
  last_ids given;                ///< so that no id is given out twice after an import
};

/// Everything that a store knows of keys, for another store: by ascending numbers, which begin with 1 and leave none
/// out.
struct PETSTORE_EXPORT key_archive {
  std::vector<key_record> keys;             ///< revoked ones included
  std::vector<identity_record> identities;  ///< of these keys
  std::vector<audit_entry> audit_log;       ///< from sequence 1

  friend bool operator==(key_archive const&, key_archive const&) = default;
};

/// Takes an export: `begin` once, then every category, animal and order, each kind by ascending id.
class PETSTORE_EXPORT export_sink {
 public:
  /// Called first, and once.
  virtual void begin(export_summary const&) = 0;
  virtual bool take(record_kind, std::string_view json) = 0;  ///< false ends the export

 protected:
  ~export_sink() = default;
};

/// How busy the writing side of a store is.
struct PETSTORE_EXPORT write_backlog {
  std::size_t waiting = 0;            ///< writes whose transaction has not begun
  std::uint64_t refused = 0;          ///< since the start, as they would have waited too long
  std::chrono::nanoseconds commit{};  ///< what a transaction takes at present, the disk included
};

/// How full a store is whose size is bounded.
struct PETSTORE_EXPORT store_space {
  std::uint64_t used_bytes = 0;  ///< what is free inside, for what comes next, is not among them
  std::uint64_t max_bytes = 0;   ///< from which on writes are refused
};

/// How a store that is a server elsewhere is reached. Counts are since the start.
struct PETSTORE_EXPORT connection_figures {
  std::size_t wanted = 0;     ///< connections that there are while all is well
  std::size_t open = 0;       ///< of these, now, on which the server answers
  std::size_t in_flight = 0;  ///< requests without an answer yet, now
  std::uint64_t made = 0;     ///< connections
  std::uint64_t lost = 0;     ///< connections that were there
  std::uint64_t failed = 0;   ///< attempts to connect
  // What became of requests. One of the service may take several.
  std::uint64_t answered = 0;     ///< with a result
  std::uint64_t refused = 0;      ///< by an error of the server's
  std::uint64_t unanswered = 0;   ///< sent or about to be, when the connection was lost
  std::uint64_t turned_away = 0;  ///< at once: no connection, one that is not answered on, or too many in flight
};

/// The data of one shop: animals, categories, orders, idempotency records, API keys and their audit log.
///
/// Every function is one transaction. A write's awaitable completes when the effect is on disk (for a store that has
/// one). Expected outcomes are errors of the result: not_found, conflict, precondition_failed, invalid_request.
/// A backend that cannot serve is `unavailable` (nothing happened, try later: full disk, full map, gone) or `internal`
/// (the outcome is unknown, or a record is damaged) with the cause filled in. Nothing else is thrown but bad_alloc.
///
/// Thread safety: any function from any thread; it completes on the caller's executor. JSON is appended to the string
/// given, which the caller keeps alive. No reference into the store survives a call.
class PETSTORE_EXPORT store {
 public:
  virtual ~store() = default;

  /// Which of the two services this store was created for.
  virtual petstore::environment environment() const noexcept = 0;

  // Reads. Parameters are by value here and below: work that has to be waited for outlives the call. A record that is
  // damaged is left out of a list, of the keys and of the audit log, so that it does not take the others along.
  /// Appends the canonical JSON of one record. An id that there is none of is not_found.
  virtual eventual<result<entity_tag>> read(record_kind, std::int64_t id, std::string& json) = 0;
  /// Appends a JSON array, `[]` where nothing matches. Entries that are added or removed meanwhile must not make a walk
  /// from page to page skip or repeat another one, and a page should cost the same however few entries match.
  virtual eventual<result<page_end>> list(list_query, std::string& json) = 0;

  // Writes. An id is given once, from 1 upwards. With an `idempotency` of which the same identity has had an answer in
  // the last 24 h, nothing is done: the same body gets that answer again (`stored::replayed`), another one a conflict.
  /// A category that there is none of is an invalid_request where known ones are required.
  virtual asio::awaitable<result<stored>> create_pet(new_pet, bool require_known_category, std::optional<idempotency>,
                                                     unix_ms now) = 0;
  /// precondition_failed when the condition does not hold; conflict for a status while an order is open.
  virtual asio::awaitable<result<stored>> update_pet(std::int64_t id, pet_patch, bool require_known_category,
                                                     etag_condition) = 0;
  /// conflict while an open order refers to the animal.
  virtual asio::awaitable<result<void>> delete_pet(std::int64_t id, etag_condition) = 0;
  /// conflict when there is one of that name.
  virtual asio::awaitable<result<stored>> create_category(new_category) = 0;
  /// The animal becomes pending in the same transaction; conflict when it is not available, not_found without one.
  virtual asio::awaitable<result<stored>> create_order(new_order, std::optional<idempotency>, unix_ms now) = 0;
  /// The animal's status follows in the same transaction (`pet_status_after`); conflict for a step that may not be.
  virtual asio::awaitable<result<stored>> update_order(std::int64_t id, order_patch, etag_condition, unix_ms now) = 0;

  // Keys.
  virtual asio::awaitable<result<std::uint64_t>> keys_version() = 0;  ///< cheap: polled several times a second
  /// All of them, revoked ones included, as of one moment. O(keys).
  virtual asio::awaitable<result<key_directory>> read_keys() = 0;
  /// Runs `decide` on the records the command names; returns what it changed.
  virtual asio::awaitable<result<key_change>> change_keys(key_command, unix_ms now, std::string actor) = 0;
  /// Entries above that sequence, ascending, `limit` at most.
  virtual asio::awaitable<result<std::vector<audit_entry>>> read_audit_log(std::uint64_t after_sequence,
                                                                           std::uint32_t limit) = 0;
  /// A store that is told of changes by others calls `changed` when the keys may have changed, from any thread and
  /// perhaps once too often; an empty function ends that: when this returns, the one before is called no more. A store
  /// that is not told calls nothing, and nobody may rely on being called.
  virtual void watch_keys(std::function<void()> /*changed*/) {}

  // Whole-store operations.
  /// From then on the store keeps no executor running that it was given, but goes on answering. Any thread, once.
  virtual void leave_executors() {}
  // Figures for operators: any thread, without waiting.
  /// nullopt: the store has no queue of its own, in which a write would wait.
  virtual std::optional<write_backlog> backlog() const { return std::nullopt; }
  /// nullopt: the store has no bound of its own, or cannot tell now.
  virtual std::optional<store_space> space() const { return std::nullopt; }
  /// nullopt: the store is in this process.
  virtual std::optional<connection_figures> connections() const { return std::nullopt; }
  /// Fails when the store cannot take requests now.
  virtual asio::awaitable<result<void>> ready() = 0;
  /// All or nothing for the records given. An id that exists with other content is a conflict; with the same content it
  /// is skipped. Raises the id sequences. Index of the offending record in `fault_at`.
  virtual asio::awaitable<result<void>> import_records(std::vector<import_record>, std::size_t& fault_at) = 0;
  /// All or nothing, into a store that never had a key; one that has just these is left as it is, and another is a
  /// conflict. An archive with gaps is an invalid_request.
  virtual asio::awaitable<result<void>> import_keys(key_archive) = 0;
  /// The whole shop as it is at one moment, whatever is written meanwhile: unavailable when that would take the room
  /// that writes need. Blocks the calling thread until the sink has taken everything: for tools, not for a thread that
  /// serves. What the sink throws passes through.
  virtual asio::awaitable<result<void>> export_records(export_sink&) = 0;
};

}  // namespace petstore::ports
