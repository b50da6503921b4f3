// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "contention.hpp"
#include "faults.hpp"
#include "petstore/key_json.hpp"
#include "reads.hpp"
#include "records.hpp"
#include "writes.hpp"

namespace petstore::storage::postgres {
namespace {

/// The columns of `find_key`.
enum column : int { version, last_key, last_audit, key, identity, quota_resets };

template <class Record>
result<std::optional<Record>> decode_in(rows const& found, int at, result<Record> (*decode)(std::string_view)) {
  std::optional<Record> record;
  if (found.is_null(0, at)) return record;
  auto decoded = decode(found.text(0, at));
  if (!decoded) return internal("a record of the keys cannot be read: " + decoded.error().message);
  record = *std::move(decoded);
  return record;
}

result<std::optional<identity_record>> identity_in(rows const& found) {
  auto owner = decode_in(found, column::identity, decode_identity_record);
  if (owner && *owner) (*owner)->quota_resets = static_cast<std::uint64_t>(found.number(0, column::quota_resets));
  return owner;
}

template <class Record>
std::string json_of(std::optional<Record> const& record) {
  std::string json;
  if (record) append_json(json, *record);
  return json;
}

std::int64_t number_of(std::optional<key_record> const& k) {
  return k ? static_cast<std::int64_t>(k->number) : 0;
}

asio::awaitable<result<key_change>> replay_creation(connection_group& l, std::int64_t number) {
  auto looking = l.read(statement::find_key, parameters::of(number));
  reply answer = co_await std::move(looking);
  auto const found = rows_of(std::move(answer));
  if (!found) co_return found.error();
  auto const made = decode_in(*found, column::key, decode_key_record);
  if (!made) co_return made.error();
  auto const owner = identity_in(*found);
  if (!owner) co_return owner.error();
  if (!*made || !*owner) co_return internal("a key of the answers is missing");
  co_return rules::replay_creation(**made, **owner);
}

}  // namespace

/// Changes are made one after the other: each is based on one version of the keys.
asio::awaitable<result<key_change>> change_keys(connection_group& l, key_command command, unix_ms now,
                                                std::string actor, std::optional<ports::idempotency> request) {
  auto const number = static_cast<std::int64_t>(named_key(command).value_or(0));
  for (contention others(l);;) {
    auto looking = l.read(statement::find_key, parameters::of(number));
    reply answer = co_await std::move(looking);
    auto const found = rows_of(std::move(answer));
    if (!found) co_return found.error();
    if (found->empty()) co_return internal("the row of the store is missing");
    auto const named = decode_in(*found, column::key, decode_key_record);
    if (!named) co_return named.error();
    auto const owner = identity_in(*found);
    if (!owner) co_return owner.error();

    if (request) {  // after the version: a creation that comes in between raises it
      auto finding = find_repetition(l, rules::repeatable::create_key, *request, now);
      auto const again = co_await std::move(finding);
      if (!again) co_return again.error();
      if (*again) {
        auto replaying = replay_creation(l, (*again)->id);
        co_return co_await std::move(replaying);
      }
    }

    auto const next = static_cast<std::uint64_t>(found->number(0, column::last_key)) + 1;
    auto change = decide(command, *named, *owner, next, now, actor);
    if (!change || change->unchanged) co_return change;
    change->entry.sequence = static_cast<std::uint64_t>(found->number(0, column::last_audit)) + 1;

    auto [token, values] = l.begin_write();
    values.add(found->number(0, column::version));
    values.add(change->added ? number_of(change->added) : found->number(0, column::last_key));
    values.add(static_cast<std::int64_t>(change->entry.sequence));
    values.add(number_of(change->changed));
    values.add(std::string_view{json_of(change->changed)});
    values.add(number_of(change->added));
    values.add(change->added ? static_cast<std::int64_t>(change->added->identity) : std::int64_t{0});
    values.add(change->added ? as_bytes(change->added->digest) : std::string_view{});
    values.add(std::string_view{json_of(change->added)});
    values.add(static_cast<std::int64_t>(change->identity.number));
    values.add(std::string_view{stored_json(change->identity)});
    values.add(std::string_view{json_of(std::optional{change->entry})});
    values.add(static_cast<std::int64_t>(request ? request->identity : 0));
    values.add(request && change->added ? std::string_view{request->key} : std::string_view{});
    values.add(request ? as_bytes(request->body_digest) : std::string_view{});
    values.add((now + ports::idempotency_kept).time_since_epoch().count());
    values.add(static_cast<std::int64_t>(change->identity.quota_resets));
    auto writing = l.write(statement::change_keys, std::move(values), token);
    auto const outcome = co_await std::move(writing);
    if (outcome.what == write_outcome::kind::refused && is_duplicate(outcome.fault, "api_keys_digest"))
      co_return error{.code = errc::conflict, .message = "that key exists", .cause = {}};
    if (auto failed = others.check(outcome)) co_return std::move(*failed);
    if (!others.must_try_again()) {
      // Sent after the change and not within it, since not every server that supports the change supports NOTIFY. A
      // node that misses it sees the new version when it polls.
      auto notifying = l.read(statement::notify_keys, {});
      auto const ignored = co_await std::move(notifying);
      co_return change;
    }
    co_await others.pause();
  }
}

}  // namespace petstore::storage::postgres
