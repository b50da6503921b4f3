// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/storage/rules/import.hpp"
#include "writes.hpp"

namespace petstore::storage::lmdb {
namespace {

result<void> import(write_transaction& t, category const& c) {
  auto const same_id = t.find_category(c.id);
  auto const step = rules::import_category(c, rules::record_in(same_id), t.find_category_of_name(c.name).has_value());
  if (!step) return step.error();
  if (*step == rules::import_step::insert) t.put_category(c);
  return {};
}

result<void> import(write_transaction& t, pet const& p) {
  auto const same_id = t.find_pet(p.id);
  auto const step = rules::import_pet(p, rules::record_in(same_id));
  if (!step) return step.error();
  if (*step == rules::import_step::insert) t.put_pet(nullptr, p);
  return {};
}

result<void> import(write_transaction& t, order const& o) {
  auto const same_id = t.find_order(o.id);
  auto const animal = t.find_pet(o.pet_id);
  auto const step =
      rules::import_order(o, rules::record_in(same_id), rules::record_in(animal), t.find_open_order(o.pet_id));
  if (!step) return step.error();
  if (*step == rules::import_step::insert) t.put_order(nullptr, o);
  return {};
}

result<void> import(write_transaction& t, ports::last_ids const& given) {
  t.raise_last_id(meta::last_category, given.category);
  t.raise_last_id(meta::last_pet, given.pet);
  t.raise_last_id(meta::last_order, given.order);
  return {};
}

}  // namespace

result<void> import_records(write_transaction& t, std::vector<ports::import_record> const& records,
                            std::size_t& fault_at) {
  t.claim_space();
  for (fault_at = 0; fault_at < records.size(); ++fault_at) {
    auto imported = std::visit([&](auto const& record) { return import(t, record); }, records[fault_at]);
    if (!imported) return imported;
  }
  return {};
}

}  // namespace petstore::storage::lmdb
