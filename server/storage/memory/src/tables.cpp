// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "tables.hpp"

#include <algorithm>

namespace petstore::storage::memory {
namespace {

bool matches(filter_values const& wanted, filter_values const& values) noexcept {
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i] && wanted[i] != values[i]) return false;
  return true;
}

}  // namespace

template <class Visit>
auto tables::visit_rows(record_kind kind, Visit visit) const {
  switch (kind) {
    case record_kind::pet: return visit(pets_);
    case record_kind::category: return visit(categories_);
    case record_kind::order: return visit(orders_);
  }
  __builtin_unreachable();
}

result<entity_tag> tables::read(record_kind kind, std::int64_t id, std::string& json) const {
  return visit_rows(kind, [&](auto const& rows) -> result<entity_tag> {
    auto const at = rows.find(id);
    if (at == rows.end()) return error{.code = errc::not_found, .message = {}, .cause = {}};
    json.append(at->second.json);
    return at->second.tag;
  });
}

/// Reads every row after the cursor, since a model needs no index.
ports::page_end tables::list(list_query const& q, std::string& json) const {
  return visit_rows(q.kind, [&](auto const& rows) {
    ports::page_end end;
    std::int64_t last = q.after;
    json.push_back('[');
    for (auto at = rows.upper_bound(q.after); at != rows.end(); ++at) {
      if (!matches(q.filters, filter_values_of(at->second.record))) continue;
      if (end.count == q.limit) {
        end.next_after = last;
        break;
      }
      if (end.count++ != 0) json.push_back(',');
      json.append(at->second.json);
      last = at->first;
    }
    json.push_back(']');
    return end;
  });
}

void tables::export_records(ports::export_sink& sink) const {
  sink.begin({.categories = categories_.size(), .pets = pets_.size(), .orders = orders_.size(), .given = last_});
  for (auto const kind : {record_kind::category, record_kind::pet, record_kind::order}) {
    bool const goes_on = visit_rows(kind, [&](auto const& rows) {
      return std::ranges::all_of(rows, [&](auto const& entry) { return sink.take(kind, entry.second.json); });
    });
    if (!goes_on) return;
  }
}

}  // namespace petstore::storage::memory
