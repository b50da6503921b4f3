// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "petstore/ports/store.hpp"
#include "petstore/server/http_handler.hpp"

namespace petstore::server {

/// A store that stands before another one and fails, or takes its time, while it is told to.
class failing_store final : public ports::store {
 public:
  explicit failing_store(std::unique_ptr<ports::store> inner) : inner_{std::move(inner)} {}

  std::optional<error> failure;                         ///< every call answers this instead
  bool throws = false;                                  ///< every call throws, which no store should
  bool waits = false;                                   ///< reads are not answered at once
  std::function<asio::awaitable<void>()> before_write;  ///< adding an animal waits for it

  petstore::environment environment() const noexcept override { return inner_->environment(); }

  template <class T>
  using answer = asio::awaitable<result<T>>;
  template <class T>
  using reading = ports::eventual<result<T>>;

  // A store that fails half-way has written something already.
  reading<entity_tag> read(record_kind kind, std::int64_t id, std::string& json) override {
    if (fails()) json.append("{\"id\":");
    return pass_on(inner_->read(kind, id, json));
  }
  reading<ports::page_end> list(list_query q, std::string& json) override {
    if (fails()) json.append("[{");
    return pass_on(inner_->list(q, json));
  }

  answer<ports::stored> create_pet(new_pet p, bool known, std::optional<ports::idempotency> i, unix_ms now) override {
    if (before_write) return wait_and_create(std::move(p), known, std::move(i), now);
    return fails() ? fail<ports::stored>() : inner_->create_pet(std::move(p), known, std::move(i), now);
  }
  answer<ports::stored> update_pet(std::int64_t id, pet_patch p, bool known, etag_condition c) override {
    return fails() ? fail<ports::stored>() : inner_->update_pet(id, std::move(p), known, std::move(c));
  }
  answer<void> delete_pet(std::int64_t id, etag_condition c) override {
    return fails() ? fail<void>() : inner_->delete_pet(id, std::move(c));
  }
  answer<ports::stored> create_category(new_category c) override {
    return fails() ? fail<ports::stored>() : inner_->create_category(std::move(c));
  }
  answer<ports::stored> create_order(new_order o, std::optional<ports::idempotency> i, unix_ms now) override {
    return fails() ? fail<ports::stored>() : inner_->create_order(o, std::move(i), now);
  }
  answer<ports::stored> update_order(std::int64_t id, order_patch p, etag_condition c, unix_ms now) override {
    return fails() ? fail<ports::stored>() : inner_->update_order(id, p, std::move(c), now);
  }

  answer<std::uint64_t> keys_version() override { return fails() ? fail<std::uint64_t>() : inner_->keys_version(); }
  answer<key_directory> read_keys() override { return fails() ? fail<key_directory>() : inner_->read_keys(); }
  answer<key_change> change_keys(key_command c, unix_ms now, std::string actor,
                                 std::optional<ports::idempotency> i) override {
    return fails() ? fail<key_change>() : inner_->change_keys(std::move(c), now, std::move(actor), std::move(i));
  }
  answer<std::vector<audit_entry>> read_audit_log(std::uint64_t after, std::uint32_t limit) override {
    return fails() ? fail<std::vector<audit_entry>>() : inner_->read_audit_log(after, limit);
  }
  answer<std::uint64_t> last_audit_entry() override {
    return fails() ? fail<std::uint64_t>() : inner_->last_audit_entry();
  }

  answer<void> add_usage(ports::usage_batch b) override {
    return fails() ? fail<void>() : inner_->add_usage(std::move(b));
  }
  answer<std::vector<ports::usage_of_day>> read_usage(std::uint64_t key, std::chrono::sys_days first,
                                                      std::chrono::sys_days last) override {
    return fails() ? fail<std::vector<ports::usage_of_day>>() : inner_->read_usage(key, first, last);
  }
  answer<std::vector<ports::last_use>> read_last_uses(std::uint64_t first_key, std::uint64_t last_key) override {
    return fails() ? fail<std::vector<ports::last_use>>() : inner_->read_last_uses(first_key, last_key);
  }

  answer<void> ready() override { return fails() ? fail<void>() : inner_->ready(); }
  answer<void> import_records(std::vector<ports::import_record> r, std::size_t& fault_at) override {
    return fails() ? fail<void>() : inner_->import_records(std::move(r), fault_at);
  }
  answer<void> import_keys(ports::key_archive a) override {
    return fails() ? fail<void>() : inner_->import_keys(std::move(a));
  }
  answer<void> export_records(ports::export_sink& sink) override {
    return fails() ? fail<void>() : inner_->export_records(sink);
  }

 private:
  bool fails() const noexcept { return throws || failure; }

  /// The failure in the place of the inner store's answer, or that answer, maybe a while later.
  template <class T>
  reading<T> pass_on(reading<T> inner) {
    if (fails()) return throws && !waits ? throw_now<T>() : reading<T>{fail<T>()};
    if (!waits) return inner;
    return wait_for(inner.take());
  }
  template <class T>
  static answer<T> wait_for(result<T> value) {
    co_await asio::post(asio::use_awaitable);
    co_return value;
  }
  answer<ports::stored> wait_and_create(new_pet p, bool known, std::optional<ports::idempotency> i, unix_ms now) {
    auto before = before_write();
    co_await std::move(before);
    if (failure) co_return *failure;
    auto work = inner_->create_pet(std::move(p), known, std::move(i), now);
    co_return co_await std::move(work);
  }
  template <class T>
  static reading<T> throw_now() {
    throw std::runtime_error("the store is on fire");
  }

  template <class T>
  answer<T> fail() {
    if (throws) throw std::runtime_error("the store is on fire");
    co_return *failure;
  }

  std::unique_ptr<ports::store> inner_;
};

}  // namespace petstore::server
