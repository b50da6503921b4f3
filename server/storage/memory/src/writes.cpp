// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>

#include "petstore/crc32c.hpp"
#include "petstore/json.hpp"
#include "tables.hpp"

namespace petstore::storage::memory {
namespace {

template <class Rows>
auto find(Rows const& rows, std::int64_t id) -> typename Rows::mapped_type const* {
  auto const at = rows.find(id);
  return at == rows.end() ? nullptr : &at->second;
}

template <class Record>
Record const* record_of(row<Record> const* r) {
  return r ? &r->record : nullptr;
}

template <class Record>
ports::stored answer_of(row<Record> const& r) {
  return {.id = r.record.id, .tag = r.tag, .json = r.json, .replayed = false};
}

/// Writes a new or changed record, with the next revision.
template <class Record>
ports::stored put_row(std::map<std::int64_t, row<Record>>& rows, Record record) {
  auto& r = rows[record.id];
  r.record = std::move(record);
  r.json = to_json(r.record);
  r.tag = {.revision = r.tag.revision + 1, .checksum = crc32c(r.json)};
  return answer_of(r);
}

}  // namespace

result<ports::stored> tables::create_pet(new_pet p, bool require_known_category,
                                         std::optional<ports::idempotency> const& repeat, unix_ms now) {
  if (repeat) {
    auto again = rules::find_repetition(find_answer(rules::repeatable::create_pet, repeat), *repeat, now);
    if (!again) return again.error();
    if (*again) return std::move(**again);
  }
  auto const id = rules::next_id(last_.pet);
  if (!id) return id.error();
  auto const category = check_category(require_known_category, p.category_id);
  auto created = rules::create_pet(*id, std::move(p), category);
  if (!created) return created.error();

  auto answer = put(*std::move(created));
  keep_answer(rules::repeatable::create_pet, repeat, answer, now);
  return answer;
}

result<ports::stored> tables::update_pet(std::int64_t id, pet_patch const& patch, bool require_known_category,
                                         etag_condition const& condition) {
  auto const* existing = find(pets_, id);
  auto const category = check_category(require_known_category && patch.category_id, patch.category_id.value_or(0));
  auto updated = rules::update_pet(existing, patch, condition, category, open_orders_.contains(id));
  if (!updated) return updated.error();
  if (*updated == existing->record) return answer_of(*existing);
  return put(*std::move(updated));
}

result<void> tables::delete_pet(std::int64_t id, etag_condition const& condition) {
  auto allowed = rules::delete_pet(find(pets_, id), condition, open_orders_.contains(id));
  if (allowed) pets_.erase(id);
  return allowed;
}

result<ports::stored> tables::create_category(new_category c) {
  auto const id = rules::next_id(last_.category);
  if (!id) return id.error();
  bool const name_is_taken = category_names_.contains(c.name);
  auto created = rules::create_category(*id, std::move(c), name_is_taken);
  if (!created) return created.error();
  return put(*std::move(created));
}

result<ports::stored> tables::create_order(new_order o, std::optional<ports::idempotency> const& repeat, unix_ms now) {
  if (repeat) {
    auto again = rules::find_repetition(find_answer(rules::repeatable::create_order, repeat), *repeat, now);
    if (!again) return again.error();
    if (*again) return std::move(**again);
  }
  auto const id = rules::next_id(last_.order);
  if (!id) return id.error();
  auto effect = rules::create_order(*id, o, record_of(find(pets_, o.pet_id)), now);
  if (!effect) return effect.error();

  if (effect->animal) put(*std::move(effect->animal));
  auto answer = put(std::move(effect->order));
  keep_answer(rules::repeatable::create_order, repeat, answer, now);
  return answer;
}

result<ports::stored> tables::update_order(std::int64_t id, order_patch const& patch, etag_condition const& condition,
                                           unix_ms now) {
  auto const* existing = find(orders_, id);
  auto const* animal = existing ? record_of(find(pets_, existing->record.pet_id)) : nullptr;
  auto effect = rules::update_order(existing, patch, condition, animal, now);
  if (!effect) return effect.error();
  if (effect->order == existing->record) return answer_of(*existing);
  if (effect->animal) put(*std::move(effect->animal));
  return put(std::move(effect->order));
}

result<void> tables::import_record(ports::import_record const& record) {
  return std::visit([this](auto const& r) { return import(r); }, record);
}

result<void> tables::import(category const& c) {
  auto step = rules::import_category(c, record_of(find(categories_, c.id)), category_names_.contains(c.name));
  if (!step) return step.error();
  if (*step == rules::import_step::insert) put(c);
  return {};
}

result<void> tables::import(pet const& p) {
  auto step = rules::import_pet(p, record_of(find(pets_, p.id)));
  if (!step) return step.error();
  if (*step == rules::import_step::insert) put(p);
  return {};
}

result<void> tables::import(order const& o) {
  std::optional<std::int64_t> open_order;
  if (auto const at = open_orders_.find(o.pet_id); at != open_orders_.end()) open_order = at->second;
  auto step = rules::import_order(o, record_of(find(orders_, o.id)), record_of(find(pets_, o.pet_id)), open_order);
  if (!step) return step.error();
  if (*step == rules::import_step::insert) put(o);
  return {};
}

result<void> tables::import(ports::last_ids const& given) {
  last_.category = std::max(last_.category, given.category);
  last_.pet = std::max(last_.pet, given.pet);
  last_.order = std::max(last_.order, given.order);
  return {};
}

ports::stored tables::put(pet p) {
  last_.pet = std::max(last_.pet, p.id);
  return put_row(pets_, std::move(p));
}

ports::stored tables::put(category c) {
  last_.category = std::max(last_.category, c.id);
  category_names_.insert(c.name);
  return put_row(categories_, std::move(c));
}

ports::stored tables::put(order o) {
  last_.order = std::max(last_.order, o.id);
  if (is_open(o.status)) {
    open_orders_[o.pet_id] = o.id;
  } else if (auto const at = open_orders_.find(o.pet_id); at != open_orders_.end() && at->second == o.id) {
    open_orders_.erase(at);
  }
  return put_row(orders_, o);
}

rules::category_reference tables::check_category(bool required, std::int64_t id) const {
  if (!required) return rules::category_reference::not_checked;
  return categories_.contains(id) ? rules::category_reference::known : rules::category_reference::unknown;
}

rules::kept_answer const* tables::find_answer(rules::repeatable operation,
                                              std::optional<ports::idempotency> const& repeat) const {
  auto const at = answers_.find({repeat->identity, operation, repeat->key});
  return at == answers_.end() ? nullptr : &at->second;
}

void tables::keep_answer(rules::repeatable operation, std::optional<ports::idempotency> const& repeat,
                         ports::stored const& answer, unix_ms now) {
  remove_expired_answers(now);
  if (!repeat) return;
  answer_scope const scope{repeat->identity, operation, repeat->key};
  auto const kept = rules::keep(answer, *repeat, now);
  if (auto const at = answers_.find(scope); at != answers_.end())
    answers_by_expiry_.erase({at->second.expires_at, scope});
  answers_by_expiry_.emplace(kept.expires_at, scope);
  answers_.insert_or_assign(scope, kept);
}

void tables::remove_expired_answers(unix_ms now) {
  for (std::size_t i = 0; i < rules::expired_answers_per_write; ++i) {
    auto const oldest = answers_by_expiry_.begin();
    if (oldest == answers_by_expiry_.end() || oldest->first > now) return;
    answers_.erase(oldest->second);
    answers_by_expiry_.erase(oldest);
  }
}

}  // namespace petstore::storage::memory
