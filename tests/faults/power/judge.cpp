// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "judge.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <filesystem>
#include <optional>
#include <utility>

#include "petstore/json.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/quota/local.hpp"
#include "petstore/storage/lmdb.hpp"

namespace petstore::faults {
namespace {

constexpr std::uint64_t first_identity = 1;

void keep(bool condition, std::string const& otherwise) {
  if (!condition) throw lost(otherwise);
}

/// Runs an operation of a store to its end on this thread.
template <class T>
T await(boost::asio::awaitable<T> operation) {
  boost::asio::io_context context{1};
  std::optional<T> value;
  std::exception_ptr failure;
  boost::asio::co_spawn(context, std::move(operation), [&](std::exception_ptr thrown, T result) {
    failure = thrown;
    if (!thrown) value.emplace(std::move(result));
  });
  context.run();
  if (failure) std::rethrow_exception(failure);
  return std::move(*value);
}

/// Every animal and order of a store.
class shop final : public ports::export_sink {
 public:
  explicit shop(ports::store& store) {
    auto const read = await(store.export_records(*this));
    keep(read.has_value(), "the records cannot be read" + (read ? "" : ": " + read.error().cause));
  }

  void begin(ports::export_summary const&) override {}
  bool take(record_kind kind, std::string_view json) override {
    if (kind == record_kind::pet) {
      auto const p = decode_json<pet>(json).value();
      animals.emplace(p.id, p);
    } else if (kind == record_kind::order) {
      auto const o = decode_json<order>(json).value();
      orders.emplace(o.id, o);
    }
    return true;
  }

  std::map<std::int64_t, pet> animals;
  std::map<std::int64_t, order> orders;
};

void judge_animals(shop const& found, acknowledged const& noted, std::uint64_t cut_at) {
  for (auto const& [id, animal] : noted.animals) {
    auto const there = found.animals.find(id);
    bool const is_there = there != found.animals.end();
    auto const who = "animal " + std::to_string(id);
    if (animal.removed_at != 0) {
      keep(!is_there || animal.removed_at > cut_at, who + " is back after it was removed");
    } else if (animal.at <= cut_at) {
      keep(is_there, who + " is gone");
      keep(there->second.name == animal.name, who + " is " + there->second.name + ", not " + animal.name);
    }
  }
  std::set<std::string_view> names;
  for (auto const& [id, animal] : found.animals)
    keep(names.insert(animal.name).second, animal.name + " is there more than once");
}

bool may_have_become(order_status from, order_status to) {
  if (from == to || may_follow(from, to)) return true;
  return from == order_status::placed && to == order_status::delivered;
}

void judge_orders(shop const& found, acknowledged const& noted, std::uint64_t cut_at) {
  for (auto const& step : noted.steps) {
    if (step.at > cut_at) continue;
    auto const there = found.orders.find(step.order);
    auto const which = "order " + std::to_string(step.order);
    keep(there != found.orders.end(), which + " is gone");
    keep(there->second.pet_id == step.pet, which + " is for another animal");
    keep(may_have_become(step.status, there->second.status), which + " was " + std::string{to_string(step.status)} +
                                                                 " and is " +
                                                                 std::string{to_string(there->second.status)});
  }
}

/// However the requests raced: each animal has one winner at most, and is as that order says.
void judge_agreement(shop const& found) {
  std::map<std::int64_t, order_status> winners;
  for (auto const& [id, order] : found.orders) {
    if (order.status == order_status::cancelled) continue;
    auto const who = "animal " + std::to_string(order.pet_id);
    keep(winners.emplace(order.pet_id, order.status).second, who + " was given away twice");
    keep(found.animals.contains(order.pet_id), who + " is gone, and order " + std::to_string(id) + " is for it");
  }
  for (auto const& [id, animal] : found.animals) {
    auto const won = winners.find(id);
    auto const meant = won == winners.end()                     ? pet_status::available
                       : won->second == order_status::delivered ? pet_status::sold
                                                                : pet_status::pending;
    keep(animal.status == meant, "animal " + std::to_string(id) + " is not as its order says");
  }
}

void judge_keys(ports::store& store, acknowledged const& noted, std::uint64_t cut_at) {
  auto const directory = await(store.read_keys());
  keep(directory.has_value(), "the keys cannot be read");
  std::map<sha256_digest, key_record> found;
  for (auto const& key : directory->keys) found.emplace(key.digest, key);
  for (auto const& [digest, key] : noted.keys) {
    if (key.at > cut_at) continue;
    auto const there = found.find(digest);
    keep(there != found.end(), "a key is gone that was shown");
    bool const was_revoked = key.revoked_at != 0 && key.revoked_at <= cut_at;
    bool const is_revoked = there->second.revoked_at.has_value();
    keep(is_revoked || !was_revoked, "a key is valid again that was revoked");
    keep(!is_revoked || key.revoked_at != 0, "a key is revoked that nobody revoked");
  }
}

/// All at once, so that they share the writer's transactions.
void judge_creations(ports::store& store, acknowledged const& noted, std::uint64_t cut_at) {
  auto const now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  boost::asio::io_context context{1};
  for (auto const& creation : noted.creations) {
    if (creation.at > cut_at) continue;
    ports::idempotency const request{.identity = first_identity, .key = creation.key, .body_digest = creation.body};
    // What they name does not matter: it is the digest of the body that has to be the same.
    auto repeated = creation.is_order ? store.create_order(new_order{}, request, now)
                                      : store.create_pet(new_pet{}, false, request, now);
    auto const judge_answer = [&creation](std::exception_ptr thrown, result<ports::stored> const& again) {
      if (thrown) std::rethrow_exception(thrown);
      keep(again && again->replayed && again->json == creation.answer,
           "what was created under " + creation.key + " is not answered again");
    };
    boost::asio::co_spawn(context, std::move(repeated), judge_answer);
  }
  context.run();
}

void judge_store(std::filesystem::path const& directory, acknowledged const& noted, std::uint64_t cut_at) {
  // A restore that was cut off has made no store: the operator repeats it, or removes what it has left.
  if (!std::filesystem::exists(directory / "data.mdb")) std::filesystem::remove_all(directory / "restore.partial");
  storage::lmdb_options options;
  options.directory = directory;
  options.environment = environment::production;
  options.report = [](std::string_view event, std::string_view detail) {
    throw lost(std::string{event} + ": " + std::string{detail});
  };
  auto const store = [&] {
    try {
      return storage::open_lmdb_store(std::move(options));
    } catch (storage::open_error const& failure) {
      throw lost(failure.what());
    }
  }();
  shop const found(*store);
  judge_animals(found, noted, cut_at);
  judge_orders(found, noted, cut_at);
  judge_agreement(found);
  judge_keys(*store, noted, cut_at);
  judge_creations(*store, noted, cut_at);
}

void judge_quota(std::filesystem::path const& directory, acknowledged const& noted, std::uint64_t charged_by) {
  quota::local_options options;
  options.directory = directory;
  options.write_interval = std::chrono::hours{1};
  std::string damage;
  options.report = [&](std::string_view event, std::string_view) { damage = event; };
  auto const quota = [&] {
    try {
      return quota::open_local_quota(std::move(options));
    } catch (std::runtime_error const& failure) {
      throw lost(failure.what());
    }
  }();
  keep(damage.empty(), "the quotas are damaged: " + damage);
  limits::plan const plan{limits::per_minute(limits::short_tokens_max), limits::per_day(limits::long_tokens_max)};
  auto const charged = quota->account_of(first_identity, plan).save(plan, limits::now()).long_used;
  auto const meant = static_cast<std::uint64_t>(
      std::ranges::count_if(noted.answers, [&](std::uint64_t at) { return at <= charged_by; }));
  keep(charged >= meant, "of " + std::to_string(meant) + " tokens that were charged before the last write began, " +
                             std::to_string(charged) + " are remembered");
}

}  // namespace

void judge(std::filesystem::path const& store, acknowledged const& noted, std::uint64_t cut_at,
           std::uint64_t charged_by) {
  judge_store(store, noted, cut_at);
  judge_quota(store / "quota", noted, charged_by);
}

}  // namespace petstore::faults
