// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/query_parameters.hpp"

#include <algorithm>
#include <utility>

#include "petstore/json.hpp"
#include "petstore/server/percent.hpp"

namespace petstore::server {
namespace {

struct sent_parameter {
  std::string_view name;
  std::string_view value;
};

/// Takes one `name=value` off the front; nullopt at the end.
std::optional<sent_parameter> take_parameter(std::string_view& query) noexcept {
  while (query.starts_with('&')) query.remove_prefix(1);
  if (query.empty()) return std::nullopt;
  std::string_view const whole = query.substr(0, query.find('&'));
  query.remove_prefix(whole.size());
  auto const equals = whole.find('=');
  if (equals == std::string_view::npos) return sent_parameter{whole, {}};
  return sent_parameter{whole.substr(0, equals), whole.substr(equals + 1)};
}

}  // namespace

bool find_parameters(std::string_view query, std::span<query_parameter> known) noexcept {
  bool has_others = false;
  while (auto const sent = take_parameter(query)) {
    auto const is_sent = [&](query_parameter const& k) { return !k.name.empty() && percent_equal(sent->name, k.name); };
    auto const k = std::ranges::find_if(known, is_sent);
    if (k == known.end()) {
      has_others = true;
      continue;
    }
    k->repeated = k->given;
    k->given = true;
    k->value = sent->value;
  }
  return has_others;
}

void query_faults::add(std::string_view subject, std::string_view what) {
  if (!message_.empty()) message_.append("; ");
  message_.append(subject).append(" ").append(what);
}

error query_faults::take() {
  return {errc::invalid_request, std::move(message_), {}};
}

std::optional<std::string_view> read_parameter(query_parameter const& p, std::span<char> buffer, query_faults& faults) {
  if (!p.given) return std::nullopt;
  if (p.repeated) {
    faults.add(p.name, "is given twice");
  } else if (p.value.empty()) {
    faults.add(p.name, "is empty");
  } else {
    return percent_decode(p.value, buffer).value_or("%");
  }
  return std::nullopt;
}

std::optional<std::uint32_t> read_page_limit(std::string_view name, std::string_view text, std::uint32_t max,
                                             query_faults& faults) {
  auto const n = parse_int64(text);
  if (n && *n >= 1 && *n <= max) return static_cast<std::uint32_t>(*n);
  faults.add(name, "must be an integer from 1 to " + std::to_string(max));
  return std::nullopt;
}

}  // namespace petstore::server
