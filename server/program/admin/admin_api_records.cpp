// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "admin/admin_answer.hpp"
#include "admin/admin_api.hpp"

namespace petstore::program {
namespace {

std::vector<std::string_view> filter_names(record_kind kind) {
  std::vector<std::string_view> names;
  for (auto const& known : filters_of(kind)) names.push_back(known.name);
  return names;
}

/// Reads the filters of a kind of record, and adds their faults to the list.
filter_values read_filters(record_kind kind, admin_list& list) {
  filter_values values;
  auto value = values.begin();
  for (auto const& known : filters_of(kind)) {
    if (auto const sent = list.text(known.name)) {
      *value = known.parse(*sent);
      if (!*value) list.add_fault(known.name, known.rule);
    }
    ++value;
  }
  return values;
}

}  // namespace

admin_api::outcome admin_api::list_pets(call const& c) {
  return list_records(c, record_kind::pet, "/pets");
}

admin_api::outcome admin_api::list_orders(call const& c) {
  return list_records(c, record_kind::order, "/orders");
}

admin_api::outcome admin_api::list_records(call const& c, record_kind kind, std::string_view path) {
  admin_list list{path.substr(1), filter_names(kind), c.req.query};
  list_query wanted{.kind = kind, .filters = read_filters(kind, list)};
  auto const page = list.finish();
  if (!page) co_return page.error();
  wanted.limit = std::min(page->limit, list_query::limit_max);
  if (page->after) wanted.after = static_cast<std::int64_t>(page->after->number);

  std::string body;
  auto reading = parts_.store.list(wanted, body).wait();
  auto const end = co_await std::move(reading);
  if (!end) co_return end.error();
  if (end->next_after) add_next_link(c, path, list, {static_cast<std::uint64_t>(*end->next_after)});
  answer_json(c.out, std::move(body));
  co_return result<void>{};
}

}  // namespace petstore::program
