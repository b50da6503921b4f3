// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "api/query.hpp"

#include <array>
#include <span>

#include "petstore/cursor.hpp"
#include "petstore/json.hpp"
#include "petstore/server/percent.hpp"
#include "petstore/server/query_parameters.hpp"

namespace petstore::server {
namespace {

/// Longer than any valid value; the longest valid one is a cursor.
constexpr std::size_t value_bytes_max = 128;

/// The known parameters: `limit`, `cursor`, the filters. If a kind has fewer filters, the remaining ones have no name.
class known_parameters {
 public:
  known_parameters(record_kind kind, std::string_view query) {
    limit().name = "limit";
    cursor().name = "cursor";
    auto const known = filters_of(kind);
    for (std::size_t i = 0; i < known.size(); ++i) filters()[i].name = known[i].name;
    has_unknown_ = find_parameters(query, all_);
  }

  query_parameter& limit() noexcept { return all_[0]; }
  query_parameter& cursor() noexcept { return all_[1]; }
  std::span<query_parameter, filters_max> filters() noexcept { return std::span{all_}.subspan<2>(); }
  bool has_unknown() const noexcept { return has_unknown_; }

 private:
  std::array<query_parameter, 2 + filters_max> all_;
  bool has_unknown_ = false;
};

/// The name is not repeated: it may be anything, also a key.
void add_unknown(query_faults& faults, record_kind kind) {
  std::string names{"limit, cursor"};
  for (auto const& filter : filters_of(kind)) names.append(", ").append(filter.name);
  faults.add("a parameter", "is none of " + names);
}

}  // namespace

result<list_query> parse_list_query(record_kind kind, std::string_view query, unknown_parameters unknown) {
  list_query wanted{.kind = kind};
  if (query.empty()) return wanted;

  known_parameters known{kind, query};
  query_faults faults;
  std::array<char, value_bytes_max> buffer;
  if (auto const text = read_parameter(known.limit(), buffer, faults)) {
    auto const n = parse_int64(*text);
    if (n && *n >= 1 && *n <= page_limit_max) {
      wanted.limit = static_cast<std::uint32_t>(*n);
    } else {
      faults.add(known.limit().name, "must be an integer from 1 to 100");
    }
  }
  auto const filters = filters_of(kind);
  for (std::size_t i = 0; i < filters.size(); ++i) {
    if (auto const text = read_parameter(known.filters()[i], buffer, faults)) {
      wanted.filters[i] = filters[i].parse(*text);
      if (!wanted.filters[i]) faults.add(filters[i].name, filters[i].rule);
    }
  }
  if (auto const text = read_parameter(known.cursor(), buffer, faults)) {
    auto const made = parse_cursor(*text);
    if (!made || made->kind != kind) {
      faults.add(known.cursor().name, "is none that this list gave out");
    } else if (faults.empty() && made->filters != wanted.filters) {
      faults.add(known.cursor().name, "belongs to other filters");
    } else {
      wanted.after = made->after;
    }
  }
  if (known.has_unknown() && unknown == unknown_parameters::refused) add_unknown(faults, kind);
  if (!faults.empty()) return faults.take();
  return wanted;
}

void append_next_query(std::string& out, record_kind kind, std::string_view query) {
  known_parameters known{kind, query};
  std::array<char, value_bytes_max> buffer;
  auto const repeat = [&](query_parameter const& p) {
    if (!p.given) return;
    // An accepted value is a number or the name of a status, so none of its characters needs escaping.
    out.append(p.name).append("=").append(percent_decode(p.value, buffer).value_or("")).append("&");
  };
  repeat(known.limit());
  for (auto const& filter : known.filters()) repeat(filter);
  out.append("cursor=");
}

}  // namespace petstore::server
