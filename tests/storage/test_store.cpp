// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "storage/test_store.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>

#include "petstore/json.hpp"

namespace petstore::tests {
namespace {

namespace asio = boost::asio;

template <class T>
T await(asio::awaitable<T> operation) {
  asio::io_context context{1};
  std::exception_ptr thrown;
  std::optional<T> outcome;
  asio::co_spawn(context, std::move(operation), [&](std::exception_ptr e, T value) {
    thrown = e;
    outcome.emplace(std::move(value));
  });
  context.run();
  if (thrown) std::rethrow_exception(thrown);
  return std::move(outcome).value();
}

template <class T>
T await(ports::eventual<T> operation) {
  return await(std::move(operation).wait());
}

/// The ids in a page, found as every record begins: {"id":7,
std::vector<std::int64_t> ids_in(std::string_view json) {
  constexpr std::string_view mark = "{\"id\":";
  std::vector<std::int64_t> ids;
  for (auto at = json.find(mark); at != json.npos; at = json.find(mark, at + 1)) {
    auto const begin = at + mark.size();
    ids.push_back(std::stoll(std::string{json.substr(begin, json.find(',', begin) - begin)}));
  }
  return ids;
}

}  // namespace

result<ports::stored> test_store::create_pet(new_pet p, std::optional<ports::idempotency> repeat, unix_ms now) {
  return await(store_->create_pet(std::move(p), false, std::move(repeat), now));
}
result<ports::stored> test_store::create_pet_of_known_category(new_pet p) {
  return await(store_->create_pet(std::move(p), true, std::nullopt, noon));
}
result<ports::stored> test_store::update_pet(std::int64_t id, pet_patch patch, etag_condition condition) {
  return await(store_->update_pet(id, std::move(patch), false, std::move(condition)));
}
result<ports::stored> test_store::update_pet_of_known_category(std::int64_t id, pet_patch patch) {
  return await(store_->update_pet(id, std::move(patch), true, etag_condition{}));
}
result<void> test_store::delete_pet(std::int64_t id, etag_condition condition) {
  return await(store_->delete_pet(id, std::move(condition)));
}
result<ports::stored> test_store::create_category(std::string name) {
  return await(store_->create_category(new_category{.name = std::move(name)}));
}
result<ports::stored> test_store::create_order(std::int64_t pet, std::optional<ports::idempotency> repeat,
                                               unix_ms now) {
  return await(store_->create_order(new_order{.pet_id = pet}, std::move(repeat), now));
}
result<ports::stored> test_store::update_order(std::int64_t id, std::optional<order_status> status,
                                               etag_condition condition, unix_ms now) {
  return await(store_->update_order(id, order_patch{.status = status}, std::move(condition), now));
}

result<entity_tag> test_store::read_pet(std::int64_t id, std::string& json) {
  return await(store_->read(record_kind::pet, id, json));
}
result<entity_tag> test_store::read_category(std::int64_t id, std::string& json) {
  return await(store_->read(record_kind::category, id, json));
}
result<entity_tag> test_store::read_order(std::int64_t id, std::string& json) {
  return await(store_->read(record_kind::order, id, json));
}
result<ports::page_end> test_store::list(list_query const& q, std::string& json) {
  return await(store_->list(q, json));
}

result<std::uint64_t> test_store::keys_version() {
  return await(store_->keys_version());
}
result<key_directory> test_store::read_keys() {
  return await(store_->read_keys());
}
result<key_change> test_store::change_keys(key_command command, unix_ms now,
                                           std::optional<ports::idempotency> request) {
  return await(store_->change_keys(std::move(command), now, "tester", std::move(request)));
}
result<std::vector<audit_entry>> test_store::read_audit_log(std::uint64_t after, std::uint32_t limit) {
  return await(store_->read_audit_log(after, limit));
}
result<std::uint64_t> test_store::last_audit_entry() {
  return await(store_->last_audit_entry());
}

result<void> test_store::add_usage(ports::usage_batch batch) {
  return await(store_->add_usage(std::move(batch)));
}
result<std::vector<ports::usage_of_day>> test_store::read_usage(std::uint64_t key, std::chrono::sys_days first,
                                                                std::chrono::sys_days last) {
  return await(store_->read_usage(key, first, last));
}
result<std::vector<ports::last_use>> test_store::read_last_uses(std::uint64_t first_key, std::uint64_t last_key) {
  return await(store_->read_last_uses(first_key, last_key));
}

result<void> test_store::ready() {
  return await(store_->ready());
}
result<void> test_store::import(std::vector<ports::import_record> records, std::size_t* fault_at) {
  std::size_t ignored = 0;
  return await(store_->import_records(std::move(records), fault_at ? *fault_at : ignored));
}
result<void> test_store::import_keys(ports::key_archive archive) {
  return await(store_->import_keys(std::move(archive)));
}
ports::key_archive test_store::archive_of_keys() {
  auto directory = read_keys().value();
  return {std::move(directory.keys), std::move(directory.identities), read_audit_log(0, 1'000'000).value()};
}
result<void> test_store::export_to(ports::export_sink& sink) {
  return await(store_->export_records(sink));
}

ports::stored test_store::add_pet(std::optional<pet_status> status, std::int64_t category, std::string name) {
  auto created = create_pet({.name = std::move(name), .category_id = category, .status = status});
  BOOST_REQUIRE(created);
  return *created;
}

ports::stored test_store::add_order(std::int64_t pet) {
  auto created = create_order(pet);
  BOOST_REQUIRE(created);
  return *created;
}

pet test_store::pet_of(std::int64_t id) {
  std::string json;
  BOOST_REQUIRE(read_pet(id, json));
  auto decoded = decode_json<pet>(json);
  BOOST_REQUIRE(decoded);
  return *decoded;
}

order test_store::order_of(std::int64_t id) {
  std::string json;
  BOOST_REQUIRE(read_order(id, json));
  auto decoded = decode_json<order>(json);
  BOOST_REQUIRE(decoded);
  return *decoded;
}

std::vector<std::int64_t> test_store::page(list_query const& q, ports::page_end* end_seen) {
  std::string json;
  auto const end = list(q, json);
  BOOST_REQUIRE(end);
  auto ids = ids_in(json);
  BOOST_TEST(end->count == ids.size());
  BOOST_TEST((json.front() == '[' && json.back() == ']'));
  if (end_seen) *end_seen = *end;
  return ids;
}

std::vector<std::int64_t> test_store::walk(list_query q) {
  std::vector<std::int64_t> all;
  for (;;) {
    ports::page_end end;
    auto const ids = page(q, &end);
    all.insert(all.end(), ids.begin(), ids.end());
    if (!end.next_after) return all;
    BOOST_TEST(end.count == q.limit);
    BOOST_REQUIRE(*end.next_after == ids.back());
    q.after = *end.next_after;
  }
}

etag_condition if_match(entity_tag tag) {
  auto condition = etag_condition::parse(to_string(tag));
  BOOST_REQUIRE(condition);
  return *condition;
}

}  // namespace petstore::tests
