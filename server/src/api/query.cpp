// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "api/query.hpp"

#include <array>

#include "petstore/cursor.hpp"
#include "petstore/json.hpp"
#include "petstore/server/percent.hpp"

namespace petstore::server {
namespace {

/// Longer than any valid value; the longest valid one is a cursor.
constexpr std::size_t value_bytes_max = 128;

/// The name is not repeated: it may be anything, also a key.
void add_unknown(query_faults& faults, record_kind kind) {
  std::string names{"limit, cursor"};
  for (auto const& filter : filters_of(kind)) names.append(", ").append(filter.name);
  faults.add("a parameter", "is none of " + names);
}

}  // namespace

list_parameters::list_parameters(record_kind kind, std::string_view query) noexcept : kind_{kind} {
  if (query.empty()) return;
  all_[0].name = "limit";
  all_[1].name = "cursor";
  auto const known = filters_of(kind);
  for (std::size_t i = 0; i < known.size(); ++i) all_[2 + i].name = known[i].name;
  has_unknown_ = find_parameters(query, all_);
}

result<list_query> list_parameters::parse(unknown_parameters unknown) const {
  list_query wanted{.kind = kind_};
  query_faults faults;
  std::array<char, value_bytes_max> buffer;
  if (auto const text = read_parameter(limit(), buffer, faults)) {
    wanted.limit = read_page_limit(limit().name, *text, list_query::limit_max, faults).value_or(wanted.limit);
  }
  auto const known = filters_of(kind_);
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (auto const text = read_parameter(filters()[i], buffer, faults)) {
      wanted.filters[i] = known[i].parse(*text);
      if (!wanted.filters[i]) faults.add(known[i].name, known[i].rule);
    }
  }
  if (auto const text = read_parameter(cursor(), buffer, faults)) {
    auto const made = parse_cursor(*text);
    if (!made || made->kind != kind_) {
      faults.add(cursor().name, "is none that this list gave out");
    } else if (faults.empty() && made->filters != wanted.filters) {
      faults.add(cursor().name, "belongs to other filters");
    } else {
      wanted.after = made->after;
    }
  }
  if (has_unknown_ && unknown == unknown_parameters::refused) add_unknown(faults, kind_);
  if (!faults.empty()) return faults.take();
  return wanted;
}

void list_parameters::append_next(std::string& out) const {
  std::array<char, value_bytes_max> buffer;
  auto const repeat = [&](query_parameter const& p) {
    if (!p.given) return;
    // An accepted value is a number or the name of a status, so none of its characters needs escaping.
    out.append(p.name).append("=").append(percent_decode(p.value, buffer).value_or("")).append("&");
  };
  repeat(limit());
  for (auto const& filter : filters()) repeat(filter);
  out.append("cursor=");
}

}  // namespace petstore::server
