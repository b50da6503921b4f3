// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/storage/postgres.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>

#include "connection_group.hpp"
#include "faults.hpp"
#include "heartbeat.hpp"
#include "housekeeping.hpp"
#include "open.hpp"
#include "reads.hpp"
#include "transfer.hpp"
#include "usage.hpp"
#include "writes.hpp"

namespace petstore::storage {
namespace {

namespace asio = boost::asio;
using ports::stored;
using postgres::connection_group;

constexpr std::chrono::milliseconds look_interval{5};

/// Each executor that serves has a connection group. So has a thread of the store, which is for callers elsewhere, for
/// serving executors without a connection yet, and for internal work.
class postgres_store final : public ports::store {
 public:
  explicit postgres_store(postgres_options const& options)
      : health_(options.report, options.silence_limit),
        settings_{.where = postgres::address(options.uri),
                  .connect_timeout = options.connect_timeout,
                  .statement_timeout = options.statement_timeout,
                  .in_flight_max = options.in_flight_max},
        environment_(prepare(options)),
        own_group_(own_context_.get_executor(), options.connections_per_thread, settings_, options.outcome_timeout,
                   health_),
        housekeeping_(own_group_),
        heartbeat_(own_group_, health_) {
    own_group_.listen([this] { call_key_watcher(); });
    own_group_.start();
    auto const failed = [](std::exception_ptr thrown) {
      if (thrown) std::rethrow_exception(thrown);
    };
    auto keeping = housekeeping_.run();
    asio::co_spawn(own_context_, std::move(keeping), failed);
    auto beating = heartbeat_.run();
    asio::co_spawn(own_context_, std::move(beating), failed);
    thread_ = std::thread([this] { run_own_context(); });
    try {
      wait_for_connection(options.open_timeout);
      for (auto const& executor : options.executors) {
        groups_.push_back(std::make_unique<connection_group>(executor.get(), options.connections_per_thread, settings_,
                                                             options.outcome_timeout, health_, &own_group_));
        asio::post(executor.get(), [l = groups_.back().get()] { l->start(); });
      }
    } catch (...) {
      close();
      throw;
    }
  }

  ~postgres_store() override { close(); }

  petstore::environment environment() const noexcept override { return environment_; }

  ports::eventual<result<entity_tag>> read(record_kind kind, std::int64_t id, std::string& json) override {
    return run<entity_tag>([kind, id, &json](connection_group& l) { return read_record(l, kind, id, json); });
  }
  ports::eventual<result<ports::page_end>> list(list_query query, std::string& json) override {
    return run<ports::page_end>([query, &json](connection_group& l) { return list_records(l, query, json); });
  }

  asio::awaitable<result<stored>> create_pet(new_pet p, bool require_known_category,
                                             std::optional<ports::idempotency> request, unix_ms now) override {
    return run<stored>([=, p = std::move(p), request = std::move(request)](connection_group& l) {
      return postgres::create_pet(l, p, require_known_category, request, now);
    });
  }
  asio::awaitable<result<stored>> update_pet(std::int64_t id, pet_patch patch, bool require_known_category,
                                             etag_condition condition) override {
    return run<stored>([=, patch = std::move(patch), condition = std::move(condition)](connection_group& l) {
      return postgres::update_pet(l, id, patch, require_known_category, condition);
    });
  }
  asio::awaitable<result<void>> delete_pet(std::int64_t id, etag_condition condition) override {
    return run<void>(
        [=, condition = std::move(condition)](connection_group& l) { return postgres::delete_pet(l, id, condition); });
  }
  asio::awaitable<result<stored>> create_category(new_category c) override {
    return run<stored>([c = std::move(c)](connection_group& l) { return postgres::create_category(l, c); });
  }
  asio::awaitable<result<stored>> create_order(new_order o, std::optional<ports::idempotency> request,
                                               unix_ms now) override {
    return run<stored>(
        [=, request = std::move(request)](connection_group& l) { return postgres::create_order(l, o, request, now); });
  }
  asio::awaitable<result<stored>> update_order(std::int64_t id, order_patch patch, etag_condition condition,
                                               unix_ms now) override {
    return run<stored>([=, condition = std::move(condition)](connection_group& l) {
      return postgres::update_order(l, id, patch, condition, now);
    });
  }

  asio::awaitable<result<std::uint64_t>> keys_version() override {
    return run<std::uint64_t>([](connection_group& l) { return postgres::read_keys_version(l); });
  }
  asio::awaitable<result<key_directory>> read_keys() override {
    return run<key_directory>([this](connection_group& l) { return postgres::read_keys(l, report_damage_); });
  }
  asio::awaitable<result<key_change>> change_keys(key_command command, unix_ms now, std::string actor,
                                                  std::optional<ports::idempotency> request) override {
    return run<key_change>([now, command = std::move(command), actor = std::move(actor), request = std::move(request)](
                               connection_group& l) { return postgres::change_keys(l, command, now, actor, request); });
  }
  asio::awaitable<result<std::vector<audit_entry>>> read_audit_log(std::uint64_t after_sequence,
                                                                   std::uint32_t limit) override {
    return run<std::vector<audit_entry>>(
        [=, this](connection_group& l) { return postgres::read_audit_log(l, after_sequence, limit, report_damage_); });
  }
  asio::awaitable<result<std::uint64_t>> last_audit_entry() override {
    return run<std::uint64_t>([](connection_group& l) { return postgres::last_audit_entry(l); });
  }
  asio::awaitable<result<void>> add_usage(ports::usage_batch batch) override {
    return run<void>([batch = std::move(batch)](connection_group& l) { return postgres::add_usage(l, batch); });
  }
  asio::awaitable<result<std::vector<ports::usage_of_day>>> read_usage(std::uint64_t key, std::chrono::sys_days first,
                                                                       std::chrono::sys_days last) override {
    return run<std::vector<ports::usage_of_day>>(
        [=](connection_group& l) { return postgres::read_usage(l, key, first, last); });
  }
  asio::awaitable<result<std::vector<ports::last_use>>> read_last_uses(std::uint64_t first_key,
                                                                       std::uint64_t last_key) override {
    return run<std::vector<ports::last_use>>(
        [=](connection_group& l) { return postgres::read_last_uses(l, first_key, last_key); });
  }
  void watch_keys(std::function<void()> changed) override {
    std::lock_guard const lock(watcher_mutex_);
    keys_changed_ = std::move(changed);
  }

  void leave_executors() override {
    for (auto& l : groups_) asio::post(l->executor(), [group = l.get()] { group->close(); });
  }

  std::optional<ports::connection_figures> connections() const override {
    ports::connection_figures sum;
    own_group_.add_to(sum);
    for (auto const& l : groups_) l->add_to(sum);
    return sum;
  }

  asio::awaitable<result<void>> ready() override {
    auto asking = keys_version();
    auto const version = co_await std::move(asking);
    if (!version) co_return version.error();
    co_return result<void>{};
  }

  asio::awaitable<result<void>> import_records(std::vector<ports::import_record> records,
                                               std::size_t& fault_at) override {
    return run_apart([this, records = std::move(records), &fault_at] {
      auto s = open_session();
      return postgres::import_records(s, records, fault_at);
    });
  }
  asio::awaitable<result<void>> import_keys(ports::key_archive archive) override {
    return run_apart([this, archive = std::move(archive)] {
      auto s = open_session();
      return postgres::import_keys(s, archive);
    });
  }
  asio::awaitable<result<void>> export_records(ports::export_sink& sink) override {
    try {
      auto s = open_session();
      postgres::export_records(s, sink);
    } catch (postgres::session_fault const& f) {
      co_return f.fault.state.empty() ? postgres::unavailable(std::string{"PostgreSQL: "} + f.what())
                                      : to_error(f.fault);
    } catch (open_error const& e) {
      co_return postgres::unavailable(e.what());
    }
    co_return result<void>{};
  }

 private:
  petstore::environment prepare(postgres_options const& options) const {
    auto const deadline = std::chrono::steady_clock::now() + options.open_timeout;
    auto s = postgres::open_session(settings_.where, options.open_timeout, options.connect_timeout);
    return postgres::prepare_store(s, settings_.where, options, health_, deadline);
  }

  /// There is time for a second attempt, which finds the answer of a name server that was too slow for the first.
  postgres::session open_session() const {
    return postgres::open_session(settings_.where, 2 * settings_.connect_timeout, settings_.connect_timeout);
  }

  void wait_for_connection(std::chrono::milliseconds timeout) {
    auto const deadline = std::chrono::steady_clock::now() + timeout;
    while (!own_group_.is_ready()) {
      if (std::chrono::steady_clock::now() >= deadline)
        throw ports::unavailable_error(settings_.where.to_text() + ": " + health_.latest_cause());
      std::this_thread::sleep_for(look_interval);
    }
  }

  void run_own_context() {
    for (;;) {
      try {
        own_context_.run();
        return;
      } catch (std::exception const& e) {
        health_.report_event("handler_failed", e.what());
      }
    }
  }

  connection_group* group_of(asio::any_io_executor const& executor) const noexcept {
    auto const& context = asio::query(executor, asio::execution::context);
    auto const at = std::ranges::find_if(groups_, [&](auto const& l) { return l->serves(executor, context); });
    return at == groups_.end() ? nullptr : at->get();
  }

  /// Runs on the caller's thread if it has a connection, otherwise on the store's own thread if that has one.
  template <class T, class Work>
  asio::awaitable<result<T>> run(Work work) {
    auto const executor = co_await asio::this_coro::executor;
    if (connection_group* const here = group_of(executor); here && here->is_ready()) {
      auto working = work(*here);
      auto done = co_await std::move(working);
      co_return done;
    }
    if (!own_group_.is_ready()) co_return postgres::unavailable(health_.latest_cause());
    auto working = work(own_group_);
    auto elsewhere = asio::co_spawn(own_context_, std::move(working), asio::use_awaitable);
    auto done = co_await std::move(elsewhere);
    co_return done;
  }

  /// Runs blocking work on a thread of its own.
  template <class Work>
  asio::awaitable<result<void>> run_apart(Work work) {
    auto const blocking = [](Work job) -> asio::awaitable<result<void>> {
      try {
        co_return job();
      } catch (postgres::session_fault const& f) {
        co_return f.fault.state.empty() ? postgres::internal(std::string{"the outcome is unknown: "} + f.what())
                                        : to_error(f.fault);
      } catch (open_error const& e) {
        co_return postgres::unavailable(e.what());
      } catch (std::exception const& e) {
        co_return postgres::internal(e.what());
      }
    };
    auto working = blocking(std::move(work));
    auto elsewhere = asio::co_spawn(blocking_.get_executor(), std::move(working), asio::use_awaitable);
    auto done = co_await std::move(elsewhere);
    co_return done;
  }

  void call_key_watcher() {
    std::lock_guard const lock(watcher_mutex_);
    if (keys_changed_) keys_changed_();
  }

  /// Called when there are no calls any more.
  void close() {
    for (auto& l : groups_) l->close();
    blocking_.join();
    asio::post(own_context_, [this] {
      housekeeping_.stop();
      heartbeat_.stop();
      own_group_.close();
    });
    if (thread_.joinable()) thread_.join();
  }

  postgres::health health_;
  postgres::link_settings const settings_;
  petstore::environment const environment_;
  postgres::damage_report const report_damage_ = [this](std::string_view what) {
    health_.report_event("store_damaged", what);
  };

  std::mutex watcher_mutex_;
  std::function<void()> keys_changed_;  ///< guarded by watcher_mutex_

  std::vector<std::unique_ptr<connection_group>> groups_;  ///< on the host's executors
  asio::thread_pool blocking_{1};
  asio::io_context own_context_{1};
  connection_group own_group_;
  postgres::housekeeping housekeeping_;
  postgres::heartbeat heartbeat_;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<ports::store> open_postgres_store(postgres_options options) {
  if (options.silence_limit <= std::chrono::milliseconds{0})
    throw std::invalid_argument("the time for which PostgreSQL may be silent must be above 0");
  return std::make_unique<postgres_store>(options);
}

}  // namespace petstore::storage
