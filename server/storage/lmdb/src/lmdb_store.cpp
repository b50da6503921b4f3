// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/storage/lmdb.hpp"

#include <chrono>

#include "free_space.hpp"
#include "open.hpp"
#include "readers.hpp"
#include "reads.hpp"
#include "usage.hpp"
#include "writer.hpp"
#include "writes.hpp"

namespace petstore::storage {
namespace {

namespace asio = boost::asio;
using lmdb::write_transaction;
using ports::stored;

/// Reads run at once on the calling thread, since they read memory. Writes go to the writer's thread.
class lmdb_store final : public ports::store {
 public:
  explicit lmdb_store(lmdb_options const& options)
      : report_damage_(
            [report = options.report](lmdb::damaged_record const& damage) { report("store_damaged", damage.what()); }),
        opened_(lmdb::open(options)),
        readers_(*opened_.database,
                 options.serve ? lmdb::reader_pool::idle::keeps_state : lmdb::reader_pool::idle::parks),
        writer_(*opened_.database, readers_, options.directory, {options.write_queue_max, options.write_wait_max},
                options.report) {}

  petstore::environment environment() const noexcept override { return opened_.environment; }

  ports::eventual<result<entity_tag>> read(record_kind kind, std::int64_t id, std::string& json) override {
    return look_up<entity_tag>([&](lmdb::reader& r) { return read_record(r, kind, id, json); }, &json);
  }
  ports::eventual<result<ports::page_end>> list(list_query query, std::string& json) override {
    return look_up<ports::page_end>([&](lmdb::reader& r) { return list_records(r, query, json, report_damage_); },
                                    &json);
  }

  asio::awaitable<result<stored>> create_pet(new_pet p, bool require_known_category,
                                             std::optional<ports::idempotency> request, unix_ms now) override {
    return writer_.run<stored>([=, p = std::move(p), request = std::move(request)](write_transaction& t) {
      return lmdb::create_pet(t, p, require_known_category, request, now);
    });
  }
  asio::awaitable<result<stored>> update_pet(std::int64_t id, pet_patch patch, bool require_known_category,
                                             etag_condition condition) override {
    return writer_.run<stored>([=, patch = std::move(patch), condition = std::move(condition)](write_transaction& t) {
      return lmdb::update_pet(t, id, patch, require_known_category, condition);
    });
  }
  asio::awaitable<result<void>> delete_pet(std::int64_t id, etag_condition condition) override {
    return writer_.run<void>(
        [=, condition = std::move(condition)](write_transaction& t) { return lmdb::delete_pet(t, id, condition); });
  }
  asio::awaitable<result<stored>> create_category(new_category c) override {
    return writer_.run<stored>([c = std::move(c)](write_transaction& t) { return lmdb::create_category(t, c); });
  }
  asio::awaitable<result<stored>> create_order(new_order o, std::optional<ports::idempotency> request,
                                               unix_ms now) override {
    return writer_.run<stored>(
        [=, request = std::move(request)](write_transaction& t) { return lmdb::create_order(t, o, request, now); });
  }
  asio::awaitable<result<stored>> update_order(std::int64_t id, order_patch patch, etag_condition condition,
                                               unix_ms now) override {
    return writer_.run<stored>([=, condition = std::move(condition)](write_transaction& t) {
      return lmdb::update_order(t, id, patch, condition, now);
    });
  }

  asio::awaitable<result<std::uint64_t>> keys_version() override {
    readers_.park_outdated();  // a server calls this often, and is not notified of a tool's commits
    co_return look_up<std::uint64_t>([](lmdb::reader& r) { return r.meta_number(lmdb::meta::keys_version); });
  }
  asio::awaitable<result<key_directory>> read_keys() override {
    co_return look_up<key_directory>([this](lmdb::reader& r) { return lmdb::read_keys(r, report_damage_); });
  }
  asio::awaitable<result<key_change>> change_keys(key_command command, unix_ms now, std::string actor,
                                                  std::optional<ports::idempotency> request) override {
    return writer_.run<key_change>([now, command = std::move(command), actor = std::move(actor),
                                    request = std::move(request)](write_transaction& t) {
      return lmdb::change_keys(t, command, now, actor, request);
    });
  }
  asio::awaitable<result<std::vector<audit_entry>>> read_audit_log(std::uint64_t after_sequence,
                                                                   std::uint32_t limit) override {
    co_return look_up<std::vector<audit_entry>>(
        [&](lmdb::reader& r) { return lmdb::read_audit_log(r, after_sequence, limit, report_damage_); });
  }
  asio::awaitable<result<std::uint64_t>> last_audit_entry() override {
    co_return look_up<std::uint64_t>([](lmdb::reader& r) { return r.meta_number(lmdb::meta::last_audit); });
  }

  asio::awaitable<result<void>> add_usage(ports::usage_batch batch) override {
    return writer_.run<void>([batch = std::move(batch)](write_transaction& t) { return lmdb::add_usage(t, batch); });
  }
  asio::awaitable<result<std::vector<ports::usage_of_day>>> read_usage(std::uint64_t key, std::chrono::sys_days first,
                                                                       std::chrono::sys_days last) override {
    co_return look_up<std::vector<ports::usage_of_day>>(
        [&](lmdb::reader& r) { return lmdb::read_usage(r, key, first, last); });
  }
  asio::awaitable<result<std::vector<ports::last_use>>> read_last_uses(std::uint64_t first_key,
                                                                       std::uint64_t last_key) override {
    co_return look_up<std::vector<ports::last_use>>(
        [&](lmdb::reader& r) { return lmdb::read_last_uses(r, first_key, last_key); });
  }

  std::optional<ports::write_backlog> backlog() const override { return writer_.backlog(); }
  std::optional<ports::store_space> space() const override {
    try {
      return lmdb::space_of(*opened_.database);
    } catch (lmdb::mdb_fault const&) {
      return std::nullopt;
    }
  }
  asio::awaitable<result<void>> ready() override {
    if (writer_.has_failed())
      co_return error{
          .code = errc::unavailable, .message = {}, .cause = "the disk failed; nothing is written any more"};
    if (writer_.lacks_space()) {
      auto const now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
      auto trying = writer_.run<void>([now](write_transaction& t) { return lmdb::try_for_space(t, now); },
                                      lmdb::batching::exclusive);
      auto tried = co_await std::move(trying);
      if (!tried) co_return tried;
      if (writer_.lacks_space())
        co_return error{.code = errc::unavailable, .message = {}, .cause = "there is hardly any free space"};
    }
    co_return look_up<void>([](lmdb::reader& r) {
      r.meta_number(lmdb::meta::format);
      return result<void>{};
    });
  }

  asio::awaitable<result<void>> import_records(std::vector<ports::import_record> records,
                                               std::size_t& fault_at) override {
    return writer_.run<void>([&fault_at, records = std::move(records)](
                                 write_transaction& t) { return lmdb::import_records(t, records, fault_at); },
                             lmdb::batching::exclusive);
  }

  asio::awaitable<result<void>> import_keys(ports::key_archive archive) override {
    return writer_.run<void>(
        [archive = std::move(archive)](write_transaction& t) { return lmdb::import_keys(t, archive); },
        lmdb::batching::exclusive);
  }

  asio::awaitable<result<void>> export_records(ports::export_sink& sink) override {
    co_return look_up<void>([&](lmdb::reader& r) {
      lmdb::export_records(r, sink, lmdb::reading_allowance(*opened_.database));
      return result<void>{};
    });
  }

 private:
  /// Runs a read in the newest state. If it fails, what it has appended to `json` is removed.
  template <class T, class Read>
  result<T> look_up(Read what, std::string* json = nullptr) {
    auto const size_before = json ? json->size() : 0;
    error fault;
    try {
      lmdb::reader_pool::loan const r(readers_);
      try {
        return what(*r);
      } catch (...) {
        r->park();
        throw;
      }
    } catch (lmdb::mdb_fault const& f) {
      if (lmdb::is_damage(f.code())) report_damage_(lmdb::damaged_record(f.what()));
      fault = lmdb::describe_fault(f);
    } catch (lmdb::damaged_record const& f) {
      report_damage_(f);
      fault = lmdb::describe_fault(f);
    } catch (lmdb::reading_too_long const& f) {
      fault = lmdb::describe_fault(f);
    }
    if (json) json->resize(size_before);
    return fault;
  }

  // Destroyed in reverse order, so that the lock on the directory is released last.
  lmdb::damage_report const report_damage_;
  lmdb::opened const opened_;
  lmdb::reader_pool readers_;
  lmdb::writer writer_;
};

}  // namespace

void validate_lmdb_store(lmdb_options const& options) {
  lmdb::validate(options);
}

std::unique_ptr<ports::store> open_lmdb_store(lmdb_options options) {
  options.report = ports::without_exceptions(std::move(options.report));
  return std::make_unique<lmdb_store>(options);
}

}  // namespace petstore::storage
