// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/key_actions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <concepts>
#include <optional>
#include <utility>

#include "config/values.hpp"
#include "outcome.hpp"
#include "petstore/json.hpp"
#include "petstore/limits/notice.hpp"
#include "store/keys.hpp"

namespace petstore::program {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

constexpr auto ban_longest = 365 * 24h;

template <class T>
json::value as_value(std::optional<T> const& maybe) {
  if (!maybe) return nullptr;
  if constexpr (std::same_as<T, unix_ms>) {
    return json::value(to_rfc3339(*maybe));
  } else {
    return json::value(*maybe);
  }
}

json::object render(limits::quota_state const& q) {
  return {{"quota", q.quota}, {"used", q.used()}, {"remaining", q.remaining}, {"reset", q.reset_unix_s}};
}

json::object render(limits::verdict const& v, std::string const& plan) {
  auto const told = limits::tell(v);
  json::object quotas{{"plan", plan}, {limits::name_of(told.short_window.period), render(told.short_window)}};
  if (told.has_long) quotas[limits::name_of(told.long_window.period)] = render(told.long_window);
  // Only a ban blocks an observation, so this is the rest of the ban.
  quotas["bannedFor"] = std::chrono::ceil<std::chrono::seconds>(v.blocked_for).count();
  return quotas;
}

error wrong(std::string message) {
  return {errc::invalid_request, std::move(message), {}};
}

result<json::object> parse_object(std::string_view text) {
  boost::system::error_code broken;
  auto const value = json::parse(text, broken);
  if (broken || !value.is_object()) return wrong("the body is not a JSON object");
  return value.as_object();
}

/// Returns the fault in the words of the command line; empty if there is none.
std::string find_plan_fault(plan_table const& plans, petstore::set_plan const& wanted) {
  try {
    check_plan(plans, {wanted.plan, wanted.per_minute, wanted.per_day});
    return {};
  } catch (usage_error const& fault) {
    return fault.what();
  }
}

/// Returns nullopt for a member that is absent or null.
template <class T>
result<std::optional<T>> read_number(json::object const& o, std::string_view name, std::int64_t max) {
  auto const* const v = o.if_contains(name);
  if (!v || v->is_null()) return std::optional<T>{};
  auto const* const n = v->if_int64();
  if (!n || *n < 1 || *n > max) return wrong(fmt::format("{} is not an integer from 1 to {}", name, max));
  return std::optional{static_cast<T>(*n)};
}

}  // namespace

unix_ms key_actions::now() const {
  return std::chrono::time_point_cast<std::chrono::milliseconds>(clock_().wall);
}

boost::asio::awaitable<result<std::string>> key_actions::quotas(std::uint64_t number) const {
  auto const snapshot = keys_.current();
  auto const* const entry = snapshot->find_number(number, now());
  if (!entry) co_return error{errc::not_found, fmt::format("k{} cannot be used now", number), {}};
  ports::payer who;
  who.kind = ports::payer::kind::identity;
  who.account = entry->account;
  who.plan = entry->plan;
  auto looking = quotas_.look(who, clock_()).wait();
  auto const seen = co_await std::move(looking);
  co_return json::serialize(render(seen, *entry->plan_name));
}

boost::asio::awaitable<result<std::string>> key_actions::describe(std::uint64_t number) {
  auto const read = co_await store_.read_keys();
  if (!read) co_return read.error();
  auto const key = std::ranges::find(read->keys, number, &key_record::number);
  if (key == read->keys.end()) co_return error{errc::not_found, fmt::format("there is no key k{}", number), {}};
  auto const owner = std::ranges::find(read->identities, key->identity, &identity_record::number);
  if (owner == read->identities.end())
    co_return error{errc::internal, fmt::format("k{} belongs to nobody", number), {}};

  auto const at = now();
  bool const is_expired = key->expires_at && *key->expires_at <= at;
  json::object described{{"key", fmt::format("k{}", number)},
                         {"name", owner->name},
                         {"plan", owner->plan},
                         {"scope", to_string(key->scope)},
                         {"looks", key->prefix + "…" + key->last_four},
                         {"state", key->revoked_at ? "revoked"
                                   : is_expired    ? "expired"
                                                   : "valid"},
                         {"createdAt", to_rfc3339(key->created_at)},
                         {"expiresAt", as_value(key->expires_at)},
                         {"revokedAt", as_value(key->revoked_at)},
                         {"perMinute", as_value(owner->per_minute)},
                         {"perDay", as_value(owner->per_day)}};
  bool const is_banned = owner->banned_until && *owner->banned_until > at;
  described["bannedUntil"] = is_banned ? as_value(owner->banned_until) : json::value{};
  auto reading = quotas(number);
  auto const state = co_await std::move(reading);
  described["quotas"] = state ? json::parse(*state) : json::value{};
  co_return json::serialize(described);
}

boost::asio::awaitable<result<std::string>> key_actions::change(key_command command, std::string actor) {
  auto changing = store_.change_keys(std::move(command), now(), std::move(actor));
  auto const done = co_await std::move(changing);
  if (!done) co_return done.error();
  co_return done->entry.detail;
}

boost::asio::awaitable<result<std::string>> key_actions::ban(std::uint64_t number, std::string_view text,
                                                             std::string actor) {
  auto const asked = parse_object(text);
  if (!asked) co_return asked.error();
  auto const* const duration = asked->if_contains("for");
  if (!duration || !duration->is_string()) co_return wrong("for is missing: a duration such as 10m");
  std::chrono::milliseconds length{};
  std::string fault;
  try {
    length = parse_duration(std::string_view{duration->get_string()}, 1s, ban_longest);
  } catch (value_error const& e) {
    fault = fmt::format("for {}", e.what());
  }
  if (!fault.empty()) co_return wrong(std::move(fault));
  auto changing = change(ban_identity{number, now() + length}, std::move(actor));
  co_return co_await std::move(changing);
}

boost::asio::awaitable<result<std::string>> key_actions::unban(std::uint64_t number, std::string actor) {
  auto changing = change(unban_identity{number}, std::move(actor));
  co_return co_await std::move(changing);
}

boost::asio::awaitable<result<std::string>> key_actions::set_plan(std::uint64_t number, std::string_view text,
                                                                  std::string actor) {
  auto const asked = parse_object(text);
  if (!asked) co_return asked.error();
  auto const* const named = asked->if_contains("plan");
  if (!named || !named->is_string()) co_return wrong("plan is missing: the name of a plan");
  petstore::set_plan wanted{number, std::string{std::string_view{named->get_string()}}, {}, {}};
  auto const per_minute = read_number<std::uint32_t>(*asked, "perMinute", limits::short_tokens_max);
  if (!per_minute) co_return per_minute.error();
  auto const per_day = read_number<std::uint64_t>(*asked, "perDay", limits::long_tokens_max);
  if (!per_day) co_return per_day.error();
  wanted.per_minute = *per_minute;
  wanted.per_day = *per_day;
  if (auto fault = find_plan_fault(plans_(), wanted); !fault.empty()) co_return wrong(std::move(fault));
  auto changing = change(std::move(wanted), std::move(actor));
  co_return co_await std::move(changing);
}

}  // namespace petstore::program
