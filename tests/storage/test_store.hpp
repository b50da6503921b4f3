// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "petstore/json.hpp"
#include "petstore/ports/store.hpp"
#include "storage/lists.hpp"

namespace petstore::tests {

/// Noon of the day on which the tests play.
inline constexpr unix_ms noon{std::chrono::milliseconds{1'790'000'000'000}};

/// A store, asked by plain calls: each runs an executor of its own until the answer is there.
class test_store {
 public:
  explicit test_store(std::unique_ptr<ports::store> store) : store_(std::move(store)) {}

  /// The store itself.
  ports::store& asynchronous() { return *store_; }

  result<ports::stored> create_pet(new_pet, std::optional<ports::idempotency> = {}, unix_ms now = noon);
  result<ports::stored> create_pet_of_known_category(new_pet);
  result<ports::stored> update_pet(std::int64_t id, pet_patch, etag_condition = {});
  result<ports::stored> update_pet_of_known_category(std::int64_t id, pet_patch);
  result<void> delete_pet(std::int64_t id, etag_condition = {});
  result<ports::stored> create_category(std::string name);
  result<ports::stored> create_order(std::int64_t pet, std::optional<ports::idempotency> = {}, unix_ms now = noon);
  result<ports::stored> update_order(std::int64_t id, std::optional<order_status>, etag_condition = {},
                                     unix_ms now = noon);

  result<entity_tag> read_pet(std::int64_t id, std::string& json);
  result<entity_tag> read_category(std::int64_t id, std::string& json);
  result<entity_tag> read_order(std::int64_t id, std::string& json);
  result<ports::page_end> list(list_query const&, std::string& json);

  result<std::uint64_t> keys_version();
  result<key_directory> read_keys();
  result<key_change> change_keys(key_command, unix_ms now = noon, std::optional<ports::idempotency> = {});
  result<std::vector<audit_entry>> read_audit_log(std::uint64_t after, std::uint32_t limit);
  result<std::uint64_t> last_audit_entry();

  result<void> add_usage(ports::usage_batch);
  result<std::vector<ports::usage_of_day>> read_usage(std::uint64_t key, std::chrono::sys_days first,
                                                      std::chrono::sys_days last);
  result<std::vector<ports::last_use>> read_last_uses(std::uint64_t first_key, std::uint64_t last_key);

  result<void> ready();
  result<void> import(std::vector<ports::import_record>, std::size_t* fault_at = nullptr);
  result<void> import_keys(ports::key_archive);
  ports::key_archive archive_of_keys();
  result<void> export_to(ports::export_sink&);

  // What most cases want: the record, or a failed case.
  ports::stored add_pet(std::optional<pet_status>, std::int64_t category = 1, std::string name = "Rex");
  ports::stored add_order(std::int64_t pet);
  pet pet_of(std::int64_t id);
  order order_of(std::int64_t id);
  /// The ids of a whole walk in pages of `limit`, and the ids of one page.
  std::vector<std::int64_t> walk(list_query);
  std::vector<std::int64_t> page(list_query const&, ports::page_end* = nullptr);

 private:
  std::unique_ptr<ports::store> store_;
};

/// nullopt: it went well.
template <class T>
std::optional<errc> fault_of(result<T> const& r) {
  return r ? std::nullopt : std::optional{r.error().code};
}

etag_condition if_match(entity_tag);

}  // namespace petstore::tests

namespace petstore {
inline std::ostream& operator<<(std::ostream& out, errc e) {
  return out << describe(e).code;
}
inline std::ostream& operator<<(std::ostream& out, entity_tag const& t) {
  return out << to_string(t);
}
inline std::ostream& operator<<(std::ostream& out, pet_status s) {
  return out << to_string(s);
}
inline std::ostream& operator<<(std::ostream& out, order_status s) {
  return out << to_string(s);
}
inline std::ostream& operator<<(std::ostream& out, order const& o) {
  return out << to_json(o);
}
}  // namespace petstore

/// That an operation failed with this code.
#define PETSTORE_REFUSED(operation, expected_code)                                        \
  BOOST_TEST((::petstore::tests::fault_of(operation) == ::petstore::errc::expected_code), \
             #operation " is " #expected_code)
