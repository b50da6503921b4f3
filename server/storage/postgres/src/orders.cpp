// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/storage/rules/orders.hpp"

#include "contention.hpp"
#include "faults.hpp"
#include "reads.hpp"
#include "records.hpp"
#include "writes.hpp"

namespace petstore::storage::postgres {
namespace {

parameters animal_and_answer(std::int64_t animal, std::optional<ports::idempotency> const& request) {
  return parameters::of(animal, static_cast<std::int64_t>(request ? request->identity : 0),
                        static_cast<std::int64_t>(rules::repeatable::create_order),
                        request ? std::string_view{request->key} : std::string_view{});
}

}  // namespace

asio::awaitable<result<ports::stored>> create_order(connection_group& l, new_order o,
                                                    std::optional<ports::idempotency> request, unix_ms now) {
  for (contention others(l);;) {
    auto looking = l.read(statement::find_pet_and_answer, animal_and_answer(o.pet_id, request));
    reply answer = co_await std::move(looking);
    auto const found = rows_of(std::move(answer));
    if (!found) co_return found.error();
    if (request) {
      auto const kept = answer_in(*found, 2);
      auto again = rules::find_repetition(kept ? &*kept : nullptr, *request, now);
      if (!again) co_return again.error();
      if (*again) co_return std::move(**again);
    }
    auto const animal = decode_record_at(*found, 0, "pets", decode_json<pet>);
    if (!animal) co_return animal.error();
    auto const effect = rules::create_order(0, o, rules::record_in(*animal), now);
    if (!effect) co_return effect.error();

    auto const reserved = to_json(effect->animal.value());
    auto const tail = after_id(effect->order);
    auto [token, values] = l.begin_write();
    values.add(o.pet_id);
    values.add(static_cast<std::int64_t>((*animal)->tag.revision));
    values.add(std::string_view{reserved});
    values.add(std::string_view{tail});
    if (request) add_first_answer(values, *request, now);
    auto writing = l.write(request ? statement::create_order_once : statement::create_order, std::move(values), token);
    auto const outcome = co_await std::move(writing);
    if (auto failed = others.check(outcome)) co_return std::move(*failed);
    if (!others.must_try_again()) co_return created_as(outcome.record_id, tail);
    co_await others.pause();
  }
}

asio::awaitable<result<ports::stored>> update_order(connection_group& l, std::int64_t id, order_patch patch,
                                                    etag_condition condition, unix_ms now) {
  for (contention others(l);;) {
    auto looking = l.read(statement::find_order_and_pet, parameters::of(id));
    reply answer = co_await std::move(looking);
    auto const found = rows_of(std::move(answer));
    if (!found) co_return found.error();
    auto const existing = decode_record_at(*found, 0, "orders", decode_json<order>);
    if (!existing) co_return existing.error();
    auto const animal = decode_record_at(*found, 2, "pets", decode_json<pet>);
    if (!animal) co_return animal.error();
    auto const effect =
        rules::update_order(rules::pointer_to(*existing), patch, condition, rules::record_in(*animal), now);
    if (!effect) co_return effect.error();
    auto const revision = (*existing)->tag.revision;
    if (effect->order == (*existing)->record) co_return stored_as(id, revision, std::string{found->text(0, 1)});

    auto json = to_json(effect->order);
    auto [token, values] = l.begin_write();
    values.add(id);
    values.add(static_cast<std::int64_t>(revision));
    values.add(static_cast<std::int64_t>(effect->order.status));
    values.add(std::string_view{json});
    if (effect->animal) {
      values.add(effect->animal->id);
      values.add(static_cast<std::int64_t>((*animal)->tag.revision));
      values.add(to_number(effect->animal->status));
      auto const freed = to_json(*effect->animal);
      values.add(std::string_view{freed});
    }
    auto writing =
        l.write(effect->animal ? statement::update_order_and_pet : statement::update_order, std::move(values), token);
    auto const outcome = co_await std::move(writing);
    if (auto failed = others.check(outcome)) co_return std::move(*failed);
    if (!others.must_try_again()) co_return stored_as(id, revision + 1, std::move(json));
    co_await others.pause();
  }
}

}  // namespace petstore::storage::postgres
