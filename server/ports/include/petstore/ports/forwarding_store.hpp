// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "petstore/export.hpp"
#include "petstore/ports/store.hpp"

namespace petstore::ports {

/// A store that passes every call on to another one: the base class of a store that changes a few functions.
///
///     struct closed_on_sundays : ports::forwarding_store {
///       using forwarding_store::forwarding_store;
///       asio::awaitable<result<stored>> create_order(…) override;  // and from there forwarding_store::create_order(…)
///     };
///
/// Thread safety, errors and costs are those of the other store.
class PETSTORE_EXPORT forwarding_store : public store {
 public:
  /// Throws std::invalid_argument when there is no other store.
  explicit forwarding_store(std::shared_ptr<store> other) : other_{std::move(other)} {
    if (!other_) throw std::invalid_argument{"a store to forward to is missing"};
  }

  petstore::environment environment() const noexcept override { return other_->environment(); }

  eventual<result<entity_tag>> read(record_kind kind, std::int64_t id, std::string& json) override {
    return other_->read(kind, id, json);
  }
  eventual<result<page_end>> list(list_query q, std::string& json) override { return other_->list(q, json); }

  asio::awaitable<result<stored>> create_pet(new_pet p, bool require_known_category, std::optional<idempotency> i,
                                             unix_ms now) override {
    return other_->create_pet(std::move(p), require_known_category, std::move(i), now);
  }
  asio::awaitable<result<stored>> update_pet(std::int64_t id, pet_patch p, bool require_known_category,
                                             etag_condition c) override {
    return other_->update_pet(id, std::move(p), require_known_category, std::move(c));
  }
  asio::awaitable<result<void>> delete_pet(std::int64_t id, etag_condition c) override {
    return other_->delete_pet(id, std::move(c));
  }
  asio::awaitable<result<stored>> create_category(new_category c) override {
    return other_->create_category(std::move(c));
  }
  asio::awaitable<result<stored>> create_order(new_order o, std::optional<idempotency> i, unix_ms now) override {
    return other_->create_order(std::move(o), std::move(i), now);
  }
  asio::awaitable<result<stored>> update_order(std::int64_t id, order_patch p, etag_condition c, unix_ms now) override {
    return other_->update_order(id, std::move(p), std::move(c), now);
  }

  asio::awaitable<result<std::uint64_t>> keys_version() override { return other_->keys_version(); }
  asio::awaitable<result<key_directory>> read_keys() override { return other_->read_keys(); }
  asio::awaitable<result<key_change>> change_keys(key_command c, unix_ms now, std::string actor,
                                                  std::optional<idempotency> i = std::nullopt) override {
    return other_->change_keys(std::move(c), now, std::move(actor), std::move(i));
  }
  asio::awaitable<result<std::vector<audit_entry>>> read_audit_log(std::uint64_t after_sequence,
                                                                   std::uint32_t limit) override {
    return other_->read_audit_log(after_sequence, limit);
  }
  asio::awaitable<result<std::uint64_t>> last_audit_entry() override { return other_->last_audit_entry(); }
  asio::awaitable<result<void>> add_usage(usage_batch b) override { return other_->add_usage(std::move(b)); }
  asio::awaitable<result<std::vector<usage_of_day>>> read_usage(std::uint64_t key, std::chrono::sys_days first,
                                                                std::chrono::sys_days last) override {
    return other_->read_usage(key, first, last);
  }
  asio::awaitable<result<std::vector<last_use>>> read_last_uses(std::uint64_t first_key,
                                                                std::uint64_t last_key) override {
    return other_->read_last_uses(first_key, last_key);
  }
  void watch_keys(std::function<void()> changed) override { other_->watch_keys(std::move(changed)); }

  void leave_executors() override { other_->leave_executors(); }
  std::optional<write_backlog> backlog() const override { return other_->backlog(); }
  std::optional<store_space> space() const override { return other_->space(); }
  std::optional<connection_figures> connections() const override { return other_->connections(); }
  asio::awaitable<result<void>> ready() override { return other_->ready(); }
  asio::awaitable<result<void>> import_records(std::vector<import_record> r, std::size_t& fault_at) override {
    return other_->import_records(std::move(r), fault_at);
  }
  asio::awaitable<result<void>> import_keys(key_archive a) override { return other_->import_keys(std::move(a)); }
  asio::awaitable<result<void>> export_records(export_sink& to) override { return other_->export_records(to); }

 protected:
  /// The store that all calls are passed on to.
  store& other() const noexcept { return *other_; }

 private:
  std::shared_ptr<store> const other_;
};

}  // namespace petstore::ports
