// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "writes.hpp"

#include "contention.hpp"
#include "faults.hpp"
#include "petstore/storage/rules/pets.hpp"
#include "reads.hpp"
#include "records.hpp"

namespace petstore::storage::postgres {
namespace {

asio::awaitable<result<rules::category_reference>> check_category(connection_group& l, bool required, std::int64_t id) {
  if (!required) co_return rules::category_reference::not_checked;
  auto asking = l.read(statement::find_category, parameters::of(id));
  reply answer = co_await std::move(asking);
  auto const found = rows_of(std::move(answer));
  if (!found) co_return found.error();
  co_return found->empty() ? rules::category_reference::unknown : rules::category_reference::known;
}

}  // namespace

/// Tries the write itself first: its statement checks what would have to be looked up.
asio::awaitable<result<ports::stored>> create_pet(connection_group& l, new_pet p, bool require_known_category,
                                                  std::optional<ports::idempotency> request, unix_ms now) {
  bool look_for_repetition = request && require_known_category;  // a repetition needs no category check
  for (contention others(l);;) {
    if (look_for_repetition) {
      auto looking = find_repetition(l, rules::repeatable::create_pet, *request, now);
      auto again = co_await std::move(looking);
      if (!again) co_return again.error();
      if (*again) co_return std::move(**again);
    }
    auto checking = check_category(l, require_known_category, p.category_id);
    auto const category = co_await std::move(checking);
    if (!category) co_return category.error();
    auto const created = rules::create_pet(0, p, *category);
    if (!created) co_return created.error();

    auto const tail = after_id(*created);
    auto [token, values] = l.begin_write();
    values.add(created->category_id);
    values.add(to_number(created->status));
    values.add(std::string_view{tail});
    if (request) add_first_answer(values, *request, now);
    auto writing = l.write(request ? statement::create_pet_once : statement::create_pet, std::move(values), token);
    auto const outcome = co_await std::move(writing);
    if (auto failed = others.check(outcome)) co_return std::move(*failed);
    if (!others.must_try_again()) co_return created_as(outcome.record_id, tail);
    look_for_repetition = request.has_value();
    co_await others.pause();
  }
}

asio::awaitable<result<ports::stored>> update_pet(connection_group& l, std::int64_t id, pet_patch patch,
                                                  bool require_known_category, etag_condition condition) {
  for (contention others(l);;) {
    auto looking = l.read(statement::find_pet, parameters::of(id, patch.category_id.value_or(0)));
    reply answer = co_await std::move(looking);
    auto const found = rows_of(std::move(answer));
    if (!found) co_return found.error();
    auto const existing = decode_record_at(*found, 0, "pets", decode_json<pet>);
    if (!existing) co_return existing.error();
    std::int64_t const open_order = *existing ? found->number(0, 2) : 0;
    auto category = rules::category_reference::not_checked;
    if (require_known_category && patch.category_id && *existing)
      category = found->is_true(0, 3) ? rules::category_reference::known : rules::category_reference::unknown;

    auto const updated = rules::update_pet(rules::pointer_to(*existing), patch, condition, category, open_order != 0);
    if (!updated) co_return updated.error();
    auto const revision = (*existing)->tag.revision;
    if (*updated == (*existing)->record) co_return stored_as(id, revision, std::string{found->text(0, 1)});

    auto json = to_json(*updated);
    auto [token, values] = l.begin_write();
    values.add(id);
    values.add(static_cast<std::int64_t>(revision));
    values.add(open_order);
    values.add(updated->category_id);
    values.add(to_number(updated->status));
    values.add(std::string_view{json});
    auto writing = l.write(statement::update_pet, std::move(values), token);
    auto const outcome = co_await std::move(writing);
    if (auto failed = others.check(outcome)) co_return std::move(*failed);
    if (!others.must_try_again()) co_return stored_as(id, revision + 1, std::move(json));
    co_await others.pause();
  }
}

asio::awaitable<result<void>> delete_pet(connection_group& l, std::int64_t id, etag_condition condition) {
  for (contention others(l);;) {
    auto looking = l.read(statement::find_pet, parameters::of(id, std::int64_t{0}));
    reply answer = co_await std::move(looking);
    auto const found = rows_of(std::move(answer));
    if (!found) co_return found.error();
    auto const existing = decode_record_at(*found, 0, "pets", decode_json<pet>);
    if (!existing) co_return existing.error();
    bool const has_open_order = *existing && found->number(0, 2) != 0;
    auto const allowed = rules::delete_pet(rules::pointer_to(*existing), condition, has_open_order);
    if (!allowed) co_return allowed.error();

    auto [token, values] = l.begin_write();
    values.add(id);
    values.add(static_cast<std::int64_t>((*existing)->tag.revision));
    auto writing = l.write(statement::delete_pet, std::move(values), token);
    auto const outcome = co_await std::move(writing);
    if (auto failed = others.check(outcome)) co_return std::move(*failed);
    if (!others.must_try_again()) co_return result<void>{};
    co_await others.pause();
  }
}

asio::awaitable<result<ports::stored>> create_category(connection_group& l, new_category c) {
  for (contention others(l);;) {
    auto looking = l.read(statement::find_category_of_name, parameters::of(std::string_view{c.name}));
    reply answer = co_await std::move(looking);
    auto const found = rows_of(std::move(answer));
    if (!found) co_return found.error();
    auto const created = rules::create_category(0, c, !found->empty());
    if (!created) co_return created.error();

    auto const tail = after_id(*created);
    auto [token, values] = l.begin_write();
    values.add(std::string_view{created->name});
    values.add(std::string_view{tail});
    auto writing = l.write(statement::create_category, std::move(values), token);
    auto const outcome = co_await std::move(writing);
    if (auto failed = others.check(outcome)) co_return std::move(*failed);
    if (!others.must_try_again()) co_return created_as(outcome.record_id, tail);
    co_await others.pause();
  }
}

}  // namespace petstore::storage::postgres
