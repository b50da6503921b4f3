// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <mutex>

#include "petstore/storage/memory.hpp"
#include "tables.hpp"

namespace petstore::storage {
namespace {

namespace asio = boost::asio;
using memory::tables;
using ports::stored;

/// Every operation runs at once, under one mutex, on the calling thread.
class memory_store final : public ports::store {
 public:
  explicit memory_store(petstore::environment e) : environment_(e) {}

  petstore::environment environment() const noexcept override { return environment_; }

  ports::eventual<result<entity_tag>> read(record_kind kind, std::int64_t id, std::string& json) override {
    std::lock_guard const lock(mutex_);
    return tables_.read(kind, id, json);
  }
  ports::eventual<result<ports::page_end>> list(list_query query, std::string& json) override {
    std::lock_guard const lock(mutex_);
    return tables_.list(query, json);
  }

  asio::awaitable<result<stored>> create_pet(new_pet p, bool require_known_category,
                                             std::optional<ports::idempotency> repeat, unix_ms now) override {
    std::lock_guard const lock(mutex_);
    co_return tables_.create_pet(std::move(p), require_known_category, repeat, now);
  }
  asio::awaitable<result<stored>> update_pet(std::int64_t id, pet_patch patch, bool require_known_category,
                                             etag_condition condition) override {
    std::lock_guard const lock(mutex_);
    co_return tables_.update_pet(id, patch, require_known_category, condition);
  }
  asio::awaitable<result<void>> delete_pet(std::int64_t id, etag_condition condition) override {
    std::lock_guard const lock(mutex_);
    co_return tables_.delete_pet(id, condition);
  }
  asio::awaitable<result<stored>> create_category(new_category c) override {
    std::lock_guard const lock(mutex_);
    co_return tables_.create_category(std::move(c));
  }
  asio::awaitable<result<stored>> create_order(new_order o, std::optional<ports::idempotency> repeat,
                                               unix_ms now) override {
    std::lock_guard const lock(mutex_);
    co_return tables_.create_order(o, repeat, now);
  }
  asio::awaitable<result<stored>> update_order(std::int64_t id, order_patch patch, etag_condition condition,
                                               unix_ms now) override {
    std::lock_guard const lock(mutex_);
    co_return tables_.update_order(id, patch, condition, now);
  }

  asio::awaitable<result<std::uint64_t>> keys_version() override {
    std::lock_guard const lock(mutex_);
    co_return tables_.keys_version();
  }
  asio::awaitable<result<key_directory>> read_keys() override {
    std::lock_guard const lock(mutex_);
    co_return tables_.read_keys();
  }
  asio::awaitable<result<key_change>> change_keys(key_command command, unix_ms now, std::string actor,
                                                  std::optional<ports::idempotency> request) override {
    std::lock_guard const lock(mutex_);
    co_return tables_.change_keys(command, now, actor, request);
  }
  asio::awaitable<result<std::vector<audit_entry>>> read_audit_log(std::uint64_t after_sequence,
                                                                   std::uint32_t limit) override {
    std::lock_guard const lock(mutex_);
    co_return tables_.read_audit_log(after_sequence, limit);
  }
  asio::awaitable<result<std::uint64_t>> last_audit_entry() override {
    std::lock_guard const lock(mutex_);
    co_return tables_.last_audit_entry();
  }

  asio::awaitable<result<void>> add_usage(ports::usage_batch batch) override {
    std::lock_guard const lock(mutex_);
    tables_.add_usage(batch);
    co_return result<void>{};
  }
  asio::awaitable<result<std::vector<ports::usage_of_day>>> read_usage(std::uint64_t key, std::chrono::sys_days first,
                                                                       std::chrono::sys_days last) override {
    std::lock_guard const lock(mutex_);
    co_return tables_.read_usage(key, first, last);
  }
  asio::awaitable<result<std::vector<ports::last_use>>> read_last_uses(std::uint64_t first_key,
                                                                       std::uint64_t last_key) override {
    std::lock_guard const lock(mutex_);
    co_return tables_.read_last_uses(first_key, last_key);
  }

  asio::awaitable<result<void>> ready() override { co_return result<void>{}; }

  asio::awaitable<result<void>> import_records(std::vector<ports::import_record> records,
                                               std::size_t& fault_at) override {
    std::lock_guard const lock(mutex_);
    auto imported = tables_;  // a copy, so that a fault in the middle changes nothing
    for (fault_at = 0; fault_at < records.size(); ++fault_at) {
      auto one = imported.import_record(records[fault_at]);
      if (!one) co_return one;
    }
    tables_ = std::move(imported);
    co_return result<void>{};
  }

  asio::awaitable<result<void>> import_keys(ports::key_archive archive) override {
    std::lock_guard const lock(mutex_);
    co_return tables_.import_keys(std::move(archive));
  }

  asio::awaitable<result<void>> export_records(ports::export_sink& sink) override {
    auto const snapshot = copy();  // the sink may be slow, or use the store
    snapshot.export_records(sink);
    co_return result<void>{};
  }

 private:
  tables copy() const {
    std::lock_guard const lock(mutex_);
    return tables_;
  }

  petstore::environment const environment_;
  mutable std::mutex mutex_;
  tables tables_;  ///< guarded by mutex_
};

}  // namespace

std::unique_ptr<ports::store> make_memory_store(environment e) {
  return std::make_unique<memory_store>(e);
}

}  // namespace petstore::storage
