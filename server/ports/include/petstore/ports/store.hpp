// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "petstore/category.hpp"
#include "petstore/error.hpp"
#include "petstore/etag.hpp"
#include "petstore/key_record.hpp"
#include "petstore/order.hpp"
#include "petstore/pet.hpp"
#include "petstore/ports/eventual.hpp"

namespace petstore::ports {

namespace asio = boost::asio;

/// Makes a creation repeatable (Idempotency-Key). Kept for 24 h with the effect's transaction.
struct idempotency {
  std::uint64_t identity = 0;
  std::string key;            ///< 1 to 255 visible ASCII characters
  sha256_digest body_digest;  ///< of the request's body bytes
};
inline constexpr std::chrono::hours idempotency_kept{24};

/// What a write left in the store.
struct stored {
  std::int64_t id = 0;
  entity_tag tag;
  std::string json;       ///< canonical, as answered
  bool replayed = false;  ///< nothing was done: this is the first answer again
};

struct pet_query {
  std::optional<pet_status> status;
  std::optional<std::int64_t> category_id;
  std::int64_t after = 0;  ///< ids above this one
  std::uint32_t limit = 20;
};
struct category_query {
  std::int64_t after = 0;
  std::uint32_t limit = 20;
};
struct order_query {
  std::optional<order_status> status;
  std::optional<std::int64_t> pet_id;
  std::int64_t after = 0;
  std::uint32_t limit = 20;
};

/// What a page says of its successor: the last id of this page when there is one.
struct page_end {
  std::optional<std::int64_t> next_after;
  std::uint32_t count = 0;
};

/// The highest id ever given to each kind of record, deleted ones included.
struct last_ids {
  std::int64_t category = 0;
  std::int64_t pet = 0;
  std::int64_t order = 0;

  friend bool operator==(last_ids const&, last_ids const&) = default;
};

/// A record of an import: id as given. `last_ids` raises the sequences, so that an id that was given out and deleted
/// where the records come from is not given out again here.
using import_record = std::variant<pet, category, order, last_ids>;

enum class record_kind : std::uint8_t { category = 1, pet = 2, order = 3 };

struct export_summary {
  std::uint64_t categories = 0;
  std::uint64_t pets = 0;
  std::uint64_t orders = 0;
  last_ids given;
};

/// Takes an export: `begin` once, then every category, animal and order, each kind by ascending id.
class export_sink {
 public:
  virtual void begin(export_summary const&) = 0;
  virtual bool take(record_kind, std::string_view json) = 0;  ///< false ends the export

 protected:
  ~export_sink() = default;
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
class store {
 public:
  virtual ~store() = default;

  /// Which of the two services this store was created for.
  virtual petstore::environment environment() const noexcept = 0;

  // Reads. Parameters are by value here and below: work that has to be waited for outlives the call.
  virtual eventual<result<entity_tag>> read_pet(std::int64_t id, std::string& json) = 0;
  virtual eventual<result<page_end>> list_pets(pet_query, std::string& json) = 0;  // a JSON array
  virtual eventual<result<entity_tag>> read_category(std::int64_t id, std::string& json) = 0;
  virtual eventual<result<page_end>> list_categories(category_query, std::string& json) = 0;
  virtual eventual<result<entity_tag>> read_order(std::int64_t id, std::string& json) = 0;
  virtual eventual<result<page_end>> list_orders(order_query, std::string& json) = 0;

  // Writes.
  virtual asio::awaitable<result<stored>> create_pet(new_pet, bool require_known_category, std::optional<idempotency>,
                                                     unix_ms now) = 0;
  virtual asio::awaitable<result<stored>> update_pet(std::int64_t id, pet_patch, bool require_known_category,
                                                     etag_condition) = 0;
  virtual asio::awaitable<result<void>> delete_pet(std::int64_t id, etag_condition) = 0;
  virtual asio::awaitable<result<stored>> create_category(new_category) = 0;
  virtual asio::awaitable<result<stored>> create_order(new_order, std::optional<idempotency>, unix_ms now) = 0;
  virtual asio::awaitable<result<stored>> update_order(std::int64_t id, order_patch, etag_condition, unix_ms now) = 0;

  // Keys.
  virtual asio::awaitable<result<std::uint64_t>> keys_version() = 0;  ///< cheap: polled several times a second
  virtual asio::awaitable<result<key_directory>> read_keys() = 0;
  /// Runs `decide` on the records the command names; returns what it changed.
  virtual asio::awaitable<result<key_change>> change_keys(key_command, unix_ms now, std::string actor) = 0;
  virtual asio::awaitable<result<std::vector<audit_entry>>> read_audit_log(std::uint64_t after_sequence,
                                                                           std::uint32_t limit) = 0;

  // Whole-store operations.
  /// Fails when the store cannot take requests now.
  virtual asio::awaitable<result<void>> ready() = 0;
  /// All or nothing for the records given. An id that exists with other content is a conflict; with the same content it
  /// is skipped. Raises the id sequences. Index of the offending record in `fault_at`.
  virtual asio::awaitable<result<void>> import_records(std::vector<import_record>, std::size_t& fault_at) = 0;
  /// The whole shop as it is at one moment, whatever is written meanwhile. Blocks the calling thread until the sink has
  /// taken everything: for tools, not for a thread that serves. What the sink throws passes through.
  virtual asio::awaitable<result<void>> export_records(export_sink&) = 0;
};

}  // namespace petstore::ports
