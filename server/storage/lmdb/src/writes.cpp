// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "writes.hpp"

#include "petstore/storage/rules/orders.hpp"
#include "repetition.hpp"

namespace petstore::storage::lmdb {
namespace {

rules::category_reference check_category(write_transaction const& t, bool required, std::int64_t id) {
  if (!required) return rules::category_reference::not_checked;
  bool const known = t.find(table::categories, number_key{id}).has_value();
  return known ? rules::category_reference::known : rules::category_reference::unknown;
}

/// The answer to a write that changes nothing: the stored record, byte for byte.
ports::stored answer_unchanged(write_transaction const& t, table records, std::int64_t id) {
  auto const record = t.find_record(records, number_key{id}).value();
  return {.id = id, .tag = record.tag, .json = std::string{record.content}, .replayed = false};
}

}  // namespace

result<ports::stored> create_pet(write_transaction& t, new_pet const& p, bool require_known_category,
                                 std::optional<ports::idempotency> const& request, unix_ms now) {
  repetition repeat(t, rules::repeatable::create_pet, request, now);
  auto again = repeat.find_answer();
  if (!again) return again.error();
  if (*again) return std::move(**again);

  auto const id = rules::next_id(t.last_id(meta::last_pet));
  if (!id) return id.error();
  auto const created = rules::create_pet(*id, p, check_category(t, require_known_category, p.category_id));
  if (!created) return created.error();

  t.claim_space();
  auto answer = t.put_pet(nullptr, *created);
  repeat.keep(answer);
  return answer;
}

result<ports::stored> update_pet(write_transaction& t, std::int64_t id, pet_patch const& patch,
                                 bool require_known_category, etag_condition const& condition) {
  auto const existing = t.find_pet(id);
  auto const category = check_category(t, require_known_category && patch.category_id, patch.category_id.value_or(0));
  auto const updated =
      rules::update_pet(rules::pointer_to(existing), patch, condition, category, t.find_open_order(id).has_value());
  if (!updated) return updated.error();
  if (*updated == existing->record) return answer_unchanged(t, table::pets, id);
  t.claim_space();
  return t.put_pet(&*existing, *updated);
}

result<void> delete_pet(write_transaction& t, std::int64_t id, etag_condition const& condition) {
  auto const existing = t.find_pet(id);
  auto const allowed = rules::delete_pet(rules::pointer_to(existing), condition, t.find_open_order(id).has_value());
  if (allowed) t.remove_pet(existing->record);
  return allowed;
}

result<ports::stored> create_category(write_transaction& t, new_category const& c) {
  auto const id = rules::next_id(t.last_id(meta::last_category));
  if (!id) return id.error();
  auto const created = rules::create_category(*id, c, t.find_category_of_name(c.name).has_value());
  if (!created) return created.error();
  t.claim_space();
  return t.put_category(*created);
}

result<ports::stored> create_order(write_transaction& t, new_order const& o,
                                   std::optional<ports::idempotency> const& request, unix_ms now) {
  repetition repeat(t, rules::repeatable::create_order, request, now);
  auto again = repeat.find_answer();
  if (!again) return again.error();
  if (*again) return std::move(**again);

  auto const id = rules::next_id(t.last_id(meta::last_order));
  if (!id) return id.error();
  auto const animal = t.find_pet(o.pet_id);
  auto const effect = rules::create_order(*id, o, rules::record_in(animal), now);
  if (!effect) return effect.error();

  t.claim_space();
  if (effect->animal) t.put_pet(rules::pointer_to(animal), *effect->animal);
  auto answer = t.put_order(nullptr, effect->order);
  repeat.keep(answer);
  return answer;
}

result<ports::stored> update_order(write_transaction& t, std::int64_t id, order_patch const& patch,
                                   etag_condition const& condition, unix_ms now) {
  auto const existing = t.find_order(id);
  std::optional<rules::present<pet>> animal;
  if (existing) animal = t.find_pet(existing->record.pet_id);
  auto const effect = rules::update_order(rules::pointer_to(existing), patch, condition, rules::record_in(animal), now);
  if (!effect) return effect.error();
  if (effect->order == existing->record) return answer_unchanged(t, table::orders, id);
  if (effect->animal) t.put_pet(rules::pointer_to(animal), *effect->animal);
  return t.put_order(&*existing, effect->order);
}

result<void> try_for_space(write_transaction& t, unix_ms now) {
  // Usually creations remove them, but there are none now.
  constexpr int rounds = 16;
  for (int i = 0; i < rounds; ++i) t.remove_expired_answers(now);
  t.put_meta(meta::format, t.meta_number(meta::format));
  return {};
}

}  // namespace petstore::storage::lmdb
