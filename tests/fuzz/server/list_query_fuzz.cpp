// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "api/query.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "fuzz/require.hpp"
#include "fuzz/server/percent_reference.hpp"
#include "fuzz/target.hpp"
#include "petstore/cursor.hpp"

/// The query of a list, compared with a simple reading; and the query of the next page, which asks for the same from
/// another position.
namespace petstore::fuzz {
namespace {

/// The longest query of a next page: names, values and separators of all known parameters, and a cursor.
constexpr std::size_t next_query_bytes_max = 160;

/// nullopt if a known parameter is invalid.
std::optional<list_query> read_plainly(std::string_view query) {
  std::map<std::string, std::vector<std::string_view>> given;
  for (auto const whole : split(query, '&')) {
    if (whole.empty()) continue;
    auto const name = whole.substr(0, whole.find('='));
    auto const plain = decode_plainly(name);
    if (plain) given[*plain].push_back(name.size() == whole.size() ? "" : whole.substr(name.size() + 1));
  }
  list_query wanted;
  auto const read = [&](std::string const& name, auto take) {
    auto const found = given.find(name);
    if (found == given.end()) return true;
    auto const text = found->second.size() == 1 ? decode_plainly(found->second[0]) : std::nullopt;
    return text && take(*text);
  };
  bool const limit_is_right = read("limit", [&](std::string const& text) {
    auto const n = parse_integer_plainly(text);
    if (n && *n >= 1 && *n <= 100) wanted.limit = static_cast<std::uint32_t>(*n);
    return n && *n >= 1 && *n <= 100;
  });
  bool const status_is_right = read("status", [&](std::string const& text) {
    auto const status = parse_pet_status(text);
    wanted.filters[0] = pet_filters(status, {})[0];
    return status.has_value();
  });
  bool const parent_is_right = read("categoryId", [&](std::string const& text) {
    wanted.filters[1] = parse_integer_plainly(text);
    return wanted.filters[1].has_value();
  });
  bool const cursor_is_right = read("cursor", [&](std::string const& text) {
    auto const made = parse_cursor(text);
    if (made) wanted.after = made->after;
    return made && made->kind == record_kind::pet && made->filters == wanted.filters;
  });
  if (!limit_is_right || !status_is_right || !parent_is_right || !cursor_is_right) return std::nullopt;
  return wanted;
}

}  // namespace

void check(std::string_view input) {
  // The head parser lets only visible ASCII pass.
  if (std::ranges::any_of(input, [](char c) { return c <= ' ' || c > '~' || c == '#'; })) return;
  auto const plainly = read_plainly(input);
  server::list_parameters const asked{record_kind::pet, input};
  auto const wanted = asked.parse();
  require(wanted.has_value() == plainly.has_value(), "both readings take the query, or neither", input,
          wanted ? "" : wanted.error().message);
  if (!wanted) {
    require(wanted.error().code == errc::invalid_request && !wanted.error().message.empty(), "a fault is told", input);
    return;
  }
  require(*wanted == *plainly, "both read one request", input);

  auto const after = wanted->after ^ 7;
  std::string next;
  auto const position = to_string(cursor{record_kind::pet, wanted->filters, after});
  asked.append_next(next);
  require(next.size() <= next_query_bytes_max, "it repeats nothing unknown", next, input);
  next.append(position);
  require(is_safe_in_link(next), "the next page's query is safe in a Link", next, input);
  require(next.ends_with("cursor=" + position), "it says where to go on", next, input);
  auto const then = server::list_parameters{record_kind::pet, next}.parse();
  auto expected = *wanted;
  expected.after = after;
  require(then && *then == expected, "the next page is asked for the same", next, input);
}

}  // namespace petstore::fuzz
