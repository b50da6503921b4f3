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
#include "petstore/ports/key_usage.hpp"

namespace petstore::ports {

namespace asio = boost::asio;

/// Makes a creation repeatable (Idempotency-Key). Stored for 24 h, in the transaction of the creation. Each function
/// has keys of its own: the same key in `create_pet` and in `create_order` makes an animal and an order.
struct PETSTORE_EXPORT idempotency {
  std::uint64_t identity = 0;  ///< of the caller; API keys of the same identity share them; 0: operators
  std::string key;             ///< 1 to 255 visible ASCII characters
  sha256_digest body_digest;   ///< of the request's body bytes
};
/// How long an answer can be repeated; the store may forget it then.
inline constexpr std::chrono::hours idempotency_kept{24};

/// The result of a write.
struct PETSTORE_EXPORT stored {
  std::int64_t id = 0;    ///< of the record
  entity_tag tag;         ///< of the record as it is now
  std::string json;       ///< canonical, as in the answer
  bool replayed = false;  ///< nothing was done: this repeats the first answer
};

/// The end of a page of a list.
struct PETSTORE_EXPORT page_end {
  std::optional<std::int64_t> next_after;  ///< `after` of the next page; nullopt: this is the last page
  std::uint32_t count = 0;                 ///< records on this page
};

/// The highest id ever used by each kind of record, including deleted ones.
struct PETSTORE_EXPORT last_ids {
  std::int64_t category = 0;  ///< 0: there never was one
  std::int64_t pet = 0;       ///< 0: there never was one
  std::int64_t order = 0;     ///< 0: there never was one

  friend bool operator==(last_ids const&, last_ids const&) = default;
};

/// A record to import, with its id. `last_ids` raises the sequences, so that an id that was used and deleted in the
/// exporting store is not used again here.
using import_record = std::variant<pet, category, order, last_ids>;

/// A summary of an export, known before its first record.
struct PETSTORE_EXPORT export_summary {
  std::uint64_t categories = 0;  ///< the number of categories
  std::uint64_t pets = 0;        ///< the number of animals
  std::uint64_t orders = 0;      ///< the number of orders
  last_ids given;                ///< so that no id is used twice after an import
};

/// All that a store knows about keys, to be copied into another store: by ascending numbers, from 1 and without gaps.
struct PETSTORE_EXPORT key_archive {
  std::vector<key_record> keys;             ///< revoked ones included
  std::vector<identity_record> identities;  ///< of these keys
  std::vector<audit_entry> audit_log;       ///< from sequence 1

  friend bool operator==(key_archive const&, key_archive const&) = default;
};

/// Receives an export: `begin` once, then every category, animal and order, each kind by ascending id.
class PETSTORE_EXPORT export_sink {
 public:
  /// Called first, and once.
  virtual void begin(export_summary const&) = 0;
  virtual bool take(record_kind, std::string_view json) = 0;  ///< false ends the export

 protected:
  ~export_sink() = default;
};

/// The load of a store's write queue.
struct PETSTORE_EXPORT write_backlog {
  std::size_t waiting = 0;            ///< writes whose transaction has not begun
  std::uint64_t refused = 0;          ///< since the start, because they would have waited too long
  std::chrono::nanoseconds commit{};  ///< the present duration of a transaction, including the disk
};

/// The use of space in a store whose size is limited.
struct PETSTORE_EXPORT store_space {
  std::uint64_t used_bytes = 0;  ///< without the free space inside, which is used next
  std::uint64_t max_bytes = 0;   ///< writes are refused from here on
};

/// The connections of a store to its server. Counts are since the start.
struct PETSTORE_EXPORT connection_figures {
  std::size_t wanted = 0;     ///< connections while all is well
  std::size_t open = 0;       ///< of these, those on which the server answers now
  std::size_t in_flight = 0;  ///< requests without an answer now
  std::uint64_t made = 0;     ///< connections
  std::uint64_t lost = 0;     ///< connections that were open before
  std::uint64_t failed = 0;   ///< attempts to connect
  // The results of requests to the server. One request of the service may need several.
  std::uint64_t answered = 0;     ///< with a result
  std::uint64_t refused = 0;      ///< with an error of the server
  std::uint64_t unanswered = 0;   ///< sent, or about to be sent, when the connection was lost
  std::uint64_t turned_away = 0;  ///< at once: no connection, none that answers, or too many in flight
};

/// The data of one pet store: animals, categories, orders, idempotency records, API keys and their audit log.
///
/// Every function is one transaction. The awaitable of a write completes when the effect is on disk (for a store with a
/// disk). Expected outcomes are errors of the result: not_found, conflict, precondition_failed, invalid_request. A
/// backend that cannot serve returns one of two errors, with the cause filled in: `unavailable` (nothing happened, try
/// later: full disk, full map, no connection) or `internal` (the outcome is unknown, or a record is damaged). It throws
/// nothing except bad_alloc and, after a cancellation, operation_aborted.
///
/// An awaitable resumes the coroutine that awaits it on that coroutine's executor, whichever thread did the work. That
/// executor must exist until then.
///
/// A cancellation takes no write back. One that comes before a write is awaited throws operation_aborted, as Asio does,
/// and nothing is written. One that comes later does not interrupt the write: the stores in this process return its
/// result as always. A store on a server may take several steps, and throws operation_aborted instead of the next one;
/// then the write may have taken effect. Repeat it with the same `idempotency` to find out.
///
/// Thread safety: any function from any thread. JSON is appended to the given string, which the caller keeps alive. No
/// reference into the store is valid after a call.
class PETSTORE_EXPORT store {
 public:
  virtual ~store() = default;

  /// The service that this store was created for.
  [[nodiscard]] virtual petstore::environment environment() const noexcept = 0;

  // Reads. Here and below, parameters are passed by value, since pending work outlives the call. A damaged record is
  // left out of a list, of the keys and of the audit log, so that the other records can still be read.
  /// Appends the canonical JSON of one record; not_found if there is none with that id.
  virtual eventual<result<entity_tag>> read(record_kind, std::int64_t id, std::string& json) = 0;
  /// Appends a JSON array, `[]` if nothing matches. Records that are added or removed between two pages must not make
  /// the list skip or repeat another record. The cost of a page should not depend on how few records match.
  virtual eventual<result<page_end>> list(list_query, std::string& json) = 0;

  // Writes. An id is used once, from 1 upwards. A record begins with revision 1, and each change raises it by 1, also
  // the change of an animal by its order. A patch that changes nothing writes nothing, so the tag stays.
  //
  // If the same identity has had an answer of this function with this `idempotency` key in the last 24 h, nothing is
  // done and nothing else is checked: the same body gets that answer again (`stored::replayed`), even if the record was
  // changed or deleted since; another body gets a conflict. Errors are not stored: after one, the key may come with any
  // body. A refused creation may leave a gap in the ids.
  //
  // Where several errors apply, the first of these is returned: not_found, precondition_failed, invalid_request,
  // conflict.
  /// invalid_request for an unknown category, if known ones are required.
  virtual asio::awaitable<result<stored>> create_pet(new_pet, bool require_known_category, std::optional<idempotency>,
                                                     unix_ms now) = 0;
  /// precondition_failed if the condition does not hold; conflict for a change of the status while an order is open.
  virtual asio::awaitable<result<stored>> update_pet(std::int64_t id, pet_patch, bool require_known_category,
                                                     etag_condition) = 0;
  /// conflict while an open order refers to the animal.
  virtual asio::awaitable<result<void>> delete_pet(std::int64_t id, etag_condition) = 0;
  /// conflict if there is a category of that name.
  virtual asio::awaitable<result<stored>> create_category(new_category) = 0;
  /// Sets the animal to pending in the same transaction; conflict if it is not available, not_found if it does not
  /// exist.
  virtual asio::awaitable<result<stored>> create_order(new_order, std::optional<idempotency>, unix_ms now) = 0;
  /// Updates the animal's status in the same transaction (`pet_status_after`); conflict for a step that is not allowed.
  virtual asio::awaitable<result<stored>> update_order(std::int64_t id, order_patch, etag_condition, unix_ms now) = 0;

  // Keys.
  virtual asio::awaitable<result<std::uint64_t>> keys_version() = 0;  ///< cheap: polled several times a second
  /// Reads all keys, including revoked ones, at one moment. O(keys).
  virtual asio::awaitable<result<key_directory>> read_keys() = 0;
  /// Runs `decide` on the records that the command names; returns the changes. If there is nothing to change, nothing
  /// is written (`key_change::unchanged`). Only a command that makes a key looks at `idempotency`. If it
  /// is repeated, nothing is done: it returns the key as it is now (`key_change::replayed`).
  virtual asio::awaitable<result<key_change>> change_keys(key_command, unix_ms now, std::string actor,
                                                          std::optional<idempotency> = std::nullopt) = 0;
  /// Entries above that sequence, ascending, at most `limit`.
  virtual asio::awaitable<result<std::vector<audit_entry>>> read_audit_log(std::uint64_t after_sequence,
                                                                           std::uint32_t limit) = 0;
  /// The sequence of the latest entry; 0 if there is none.
  virtual asio::awaitable<result<std::uint64_t>> last_audit_entry() = 0;

  // The usage of keys. These change neither the keys nor their version.
  /// Adds the counts to those of the same key and day, and keeps the later time of the last use. Removes some of the
  /// days that are older than `usage_kept`. After `unavailable` nothing has happened, or the same batch can be added
  /// again within an hour without being counted twice.
  virtual asio::awaitable<result<void>> add_usage(usage_batch) = 0;
  /// The days on which the key was used, ascending, from the first day to the last one. Costs at most a look-up for
  /// each day.
  virtual asio::awaitable<result<std::vector<usage_of_day>>> read_usage(std::uint64_t key, std::chrono::sys_days first,
                                                                        std::chrono::sys_days last) = 0;
  /// The last uses of the keys whose numbers are in this range, by ascending number. A key that was never used is not
  /// among them.
  virtual asio::awaitable<result<std::vector<last_use>>> read_last_uses(std::uint64_t first_key,
                                                                        std::uint64_t last_key) = 0;

  /// A store that is notified of changes by others calls `changed` when the keys may have changed, from any thread and
  /// maybe without a change. An empty function ends the calls: after this returns, the previous function is not called
  /// any more. Other stores call nothing, so callers must not rely on being called.
  virtual void watch_keys(std::function<void()> /*changed*/) {}

  // Whole-store operations.
  /// From then on the store keeps no given executor running, but still answers. Any thread, once.
  virtual void leave_executors() {}
  // Figures for operators: any thread, without waiting.
  /// nullopt: the store has no write queue of its own.
  [[nodiscard]] virtual std::optional<write_backlog> backlog() const { return std::nullopt; }
  /// nullopt: the size is not limited by the store, or is not known now.
  [[nodiscard]] virtual std::optional<store_space> space() const { return std::nullopt; }
  /// nullopt: the store is in this process.
  [[nodiscard]] virtual std::optional<connection_figures> connections() const { return std::nullopt; }
  /// Fails if the store cannot take requests now.
  virtual asio::awaitable<result<void>> ready() = 0;
  /// Imports all of the records or none. A record whose id exists with other content is a conflict; with the same
  /// content it is skipped. Raises the id sequences. `fault_at` gets the index of the faulty record.
  virtual asio::awaitable<result<void>> import_records(std::vector<import_record>, std::size_t& fault_at) = 0;
  /// Imports all keys or none, into a store that never had a key. A store that has exactly these keys is not changed;
  /// any other is a conflict. An archive with gaps is an invalid_request.
  virtual asio::awaitable<result<void>> import_keys(key_archive) = 0;
  /// Exports all records as they are at one moment, even while others are written; unavailable if that would take the
  /// free space that writes need. Blocks the calling thread until the sink has taken everything: for tools, not for a
  /// thread that serves. Exceptions of the sink are passed on.
  virtual asio::awaitable<result<void>> export_records(export_sink&) = 0;
};

}  // namespace petstore::ports
