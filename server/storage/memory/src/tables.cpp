// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "tables.hpp"

namespace petstore::storage::memory {
namespace {

template <class Rows>
result<entity_tag> read(Rows const& rows, std::int64_t id, std::string& json) {
  auto const at = rows.find(id);
  if (at == rows.end()) return error{.code = errc::not_found, .message = {}, .cause = {}};
  json.append(at->second.json);
  return at->second.tag;
}

/// Looks at every row after the cursor: a model has no index.
template <class Rows, class Matches>
ports::page_end list(Rows const& rows, std::int64_t after, std::uint32_t limit, std::string& json, Matches matches) {
  ports::page_end end;
  std::int64_t last = after;
  json.push_back('[');
  for (auto at = rows.upper_bound(after); at != rows.end(); ++at) {
    if (!matches(at->second.record)) continue;
    if (end.count == limit) {
      end.next_after = last;
      break;
    }
    if (end.count++ != 0) json.push_back(',');
    json.append(at->second.json);
    last = at->first;
  }
  json.push_back(']');
  return end;
}

}  // namespace

result<entity_tag> tables::read_pet(std::int64_t id, std::string& json) const {
  return read(pets_, id, json);
}

result<entity_tag> tables::read_category(std::int64_t id, std::string& json) const {
  return read(categories_, id, json);
}

result<entity_tag> tables::read_order(std::int64_t id, std::string& json) const {
  return read(orders_, id, json);
}

ports::page_end tables::list_pets(ports::pet_query const& q, std::string& json) const {
  return list(pets_, q.after, q.limit, json, [&](pet const& p) {
    return (!q.status || p.status == q.status) && (!q.category_id || p.category_id == *q.category_id);
  });
}

ports::page_end tables::list_categories(ports::category_query const& q, std::string& json) const {
  return list(categories_, q.after, q.limit, json, [](category const&) { return true; });
}

ports::page_end tables::list_orders(ports::order_query const& q, std::string& json) const {
  return list(orders_, q.after, q.limit, json, [&](order const& o) {
    return (!q.status || o.status == *q.status) && (!q.pet_id || o.pet_id == *q.pet_id);
  });
}

void tables::export_records(ports::export_sink& sink) const {
  sink.begin({.categories = categories_.size(), .pets = pets_.size(), .orders = orders_.size(), .given = last_});
  auto const take_all = [&](ports::record_kind kind, auto const& rows) {
    for (auto const& [id, row] : rows)
      if (!sink.take(kind, row.json)) return false;
    return true;
  };
  if (!take_all(ports::record_kind::category, categories_)) return;
  if (!take_all(ports::record_kind::pet, pets_)) return;
  take_all(ports::record_kind::order, orders_);
}

}  // namespace petstore::storage::memory
