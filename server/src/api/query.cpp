// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "api/query.hpp"

#include <array>
#include <span>
#include <utility>

#include "http/percent.hpp"
#include "petstore/cursor.hpp"
#include "petstore/json.hpp"

namespace petstore::server {
namespace {

/// Longer than any valid value; the longest valid one is a cursor.
constexpr std::size_t value_bytes_max = 128;

struct parameter {
  std::string_view name;   ///< as sent
  std::string_view value;  ///< as sent
};

/// Takes one `name=value` off the front; nullopt at the end.
std::optional<parameter> take_parameter(std::string_view& query) noexcept {
  while (query.starts_with('&')) query.remove_prefix(1);
  if (query.empty()) return std::nullopt;
  std::string_view const whole = query.substr(0, query.find('&'));
  query.remove_prefix(whole.size());
  auto const equals = whole.find('=');
  if (equals == std::string_view::npos) return parameter{whole, {}};
  return parameter{whole.substr(0, equals), whole.substr(equals + 1)};
}

/// One known parameter, if the query has it.
struct slot {
  std::string_view name = {};
  bool given = false;
  bool repeated = false;
  std::string_view value = {};
};

/// The known parameters: `limit`, the filters, `cursor`. If a kind has fewer filters, the remaining slots have no name.
struct known_parameters {
  slot limit{"limit"};
  std::array<slot, filters_max> filters;
  slot cursor{"cursor"};
};

known_parameters find_known(record_kind kind, std::string_view query) {
  known_parameters known;
  auto const filters = filters_of(kind);
  for (std::size_t i = 0; i < filters.size(); ++i) known.filters[i].name = filters[i].name;
  auto const take = [](slot& s, parameter const& p) {
    if (s.name.empty() || !percent_equal(p.name, s.name)) return;
    s.repeated = s.given;
    s.given = true;
    s.value = p.value;
  };
  while (auto const p = take_parameter(query)) {
    take(known.limit, *p);
    for (auto& s : known.filters) take(s, *p);
    take(known.cursor, *p);
  }
  return known;
}

/// The sentences of one message.
class fault_list {
 public:
  void add(std::string_view subject, std::string_view what) {
    if (!message_.empty()) message_.append("; ");
    message_.append(subject).append(" ").append(what);
  }
  bool empty() const noexcept { return message_.empty(); }
  error take() { return {errc::invalid_request, std::move(message_), {}}; }

 private:
  std::string message_;
};

/// Returns the value to parse; none if the parameter is absent or has an error already.
std::optional<std::string_view> read(slot const& s, std::span<char> buffer, fault_list& faults) {
  if (!s.given) return std::nullopt;
  if (s.repeated) {
    faults.add(s.name, "is given twice");
  } else if (s.value.empty()) {
    faults.add(s.name, "is empty");
  } else {
    // A value that cannot be decoded, or is too long, is reported like any wrong value.
    return percent_decode(s.value, buffer).value_or("%");
  }
  return std::nullopt;
}

}  // namespace

result<list_query> parse_list_query(record_kind kind, std::string_view query) {
  list_query wanted{.kind = kind};
  if (query.empty()) return wanted;

  auto const known = find_known(kind, query);
  fault_list faults;
  std::array<char, value_bytes_max> buffer;
  if (auto const text = read(known.limit, buffer, faults)) {
    auto const n = parse_int64(*text);
    if (n && *n >= 1 && *n <= page_limit_max) {
      wanted.limit = static_cast<std::uint32_t>(*n);
    } else {
      faults.add(known.limit.name, "must be an integer from 1 to 100");
    }
  }
  auto const filters = filters_of(kind);
  for (std::size_t i = 0; i < filters.size(); ++i) {
    if (auto const text = read(known.filters[i], buffer, faults)) {
      wanted.filters[i] = filters[i].parse(*text);
      if (!wanted.filters[i]) faults.add(filters[i].name, filters[i].rule);
    }
  }
  if (auto const text = read(known.cursor, buffer, faults)) {
    auto const made = parse_cursor(*text);
    if (!made || made->kind != kind) {
      faults.add(known.cursor.name, "is none that this list gave out");
    } else if (faults.empty() && made->filters != wanted.filters) {
      faults.add(known.cursor.name, "belongs to other filters");
    } else {
      wanted.after = made->after;
    }
  }
  if (!faults.empty()) return faults.take();
  return wanted;
}

void append_next_query(std::string& out, record_kind kind, std::string_view query) {
  auto const known = find_known(kind, query);
  std::array<char, value_bytes_max> buffer;
  auto const repeat = [&](slot const& s) {
    if (!s.given) return;
    // An accepted value is a number or the name of a status, so none of its characters needs escaping.
    out.append(s.name).append("=").append(percent_decode(s.value, buffer).value_or("")).append("&");
  };
  repeat(known.limit);
  for (auto const& s : known.filters) repeat(s);
  out.append("cursor=");
}

}  // namespace petstore::server
