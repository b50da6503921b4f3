// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "audit/note.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

#include "client/head_lines.hpp"
#include "client/http_date.hpp"

namespace petstore::load {
namespace {

constexpr unsigned too_many_requests = 429;
constexpr std::int32_t seconds_max = 1'000'000'000;
/// More than any quota has, and small enough that sums and differences of such numbers do not overflow.
constexpr std::int64_t number_max = 1'000'000'000'000'000;

std::int64_t number_of(std::string_view text) noexcept {
  std::int64_t n = 0;
  auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (text.empty() || failed != std::errc{} || end != text.data() + text.size() || n < 0) return not_said;
  return std::min(n, number_max);
}

std::int32_t seconds_of(std::string_view text) noexcept {
  return static_cast<std::int32_t>(std::min<std::int64_t>(number_of(text), seconds_max));
}

std::int64_t unix_time_of(std::string_view date, std::chrono::sys_seconds now) noexcept {
  auto const read = parse_http_date(date, now);
  return read && read->time_since_epoch().count() >= 0 ? read->time_since_epoch().count() : not_said;
}

/// A number of seconds, or the seconds from `now` to a date (RFC 9110 section 10.2.3).
std::int32_t wait_of(std::string_view retry_after, std::chrono::sys_seconds now) noexcept {
  auto const until = parse_http_date(retry_after, now);
  if (!until) return seconds_of(retry_after);
  return static_cast<std::int32_t>(std::clamp<std::int64_t>((*until - now).count(), 0, seconds_max));
}

std::uint8_t index_of(std::string_view name, std::vector<std::string>& resources) {
  auto const found = std::ranges::find(resources, name);
  if (found == resources.end()) {
    if (resources.size() == audited_resources_max) return no_resource;
    resources.emplace_back(name);
    return static_cast<std::uint8_t>(resources.size() - 1);
  }
  return static_cast<std::uint8_t>(found - resources.begin());
}

std::string_view take_until(std::string_view& rest, char end) noexcept {
  auto const at = rest.find(end);
  auto const taken = rest.substr(0, at);
  rest.remove_prefix(at == rest.npos ? rest.size() : at + 1);
  return trimmed(taken);
}

/// The entry of this resource, or a free one.
policy_reading* place_for(note& n, std::uint8_t resource) noexcept {
  if (resource == no_resource) return nullptr;
  for (auto& p : n.policies) {
    if (p.resource == no_resource) p.resource = resource;
    if (p.resource == resource) return &p;
  }
  return nullptr;
}

/// Reads a list of items with parameters, such as `"minute";q=60;w=60, "day";q=1000` (RFC 8941 section 3, numbers
/// only).
void read_list(note& n, std::string_view list, std::vector<std::string>& resources) {
  while (!list.empty()) {
    auto item = take_until(list, ',');
    auto name = take_until(item, ';');
    if (name.size() >= 2 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
    auto* const reading = name.empty() ? nullptr : place_for(n, index_of(name, resources));
    while (reading != nullptr && !item.empty()) {
      auto value = take_until(item, ';');
      auto const parameter = take_until(value, '=');
      if (parameter == "q") reading->limit = number_of(value);
      if (parameter == "w") reading->window_s = seconds_of(value);
      if (parameter == "r") reading->remaining = number_of(value);
      if (parameter == "t") reading->more_in_s = seconds_of(value);
    }
  }
}

}  // namespace

void read_fields(note& n, answer_view const& answer, std::chrono::sys_seconds received,
                 std::vector<std::string>& resources) {
  auto const& from = answer.noted;
  n.status = static_cast<std::uint16_t>(answer.status);
  n.limit = number_of(from.limit);
  n.remaining = number_of(from.remaining);
  n.reset = number_of(from.reset);
  n.date = unix_time_of(from.date, received);
  n.retry_after =
      wait_of(from.retry_after, n.date == not_said ? received : std::chrono::sys_seconds(std::chrono::seconds(n.date)));
  if (n.limit != not_said || n.remaining != not_said || n.reset != not_said)
    n.resource = index_of(from.resource, resources);
  read_list(n, from.rate_limit_policy, resources);
  read_list(n, from.rate_limit, resources);
  // A ban refuses while no quota is exhausted. The body says so; without the body, it shows because no quota is listed.
  bool const lists_none = !from.rate_limit_policy.empty() && from.rate_limit.empty();
  n.banned = answer.status == too_many_requests && (lists_none || answer.body.find("\"banned\"") != answer.body.npos);
}

}  // namespace petstore::load
