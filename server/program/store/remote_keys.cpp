// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "store/remote_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <exception>
#include <utility>
#include <variant>

#include "admin_path.hpp"
#include "outcome.hpp"
#include "petstore/json.hpp"
#include "petstore/json_object.hpp"
#include "store/keys.hpp"

namespace petstore::program {
namespace {

namespace json = boost::json;

constexpr std::string_view first_page = "?limit=200";

std::string path_of(std::uint64_t number, std::string_view action = {}) {
  return fmt::format("{}/keys/k{}{}", admin_path, number, action);
}

/// Parses an answer. `read` may throw when it is not as the API says.
template <class Read>
auto read_answer(std::string const& body, Read read) {
  try {
    return read(json::parse(body));
  } catch (boost::system::system_error const&) {
  } catch (std::invalid_argument const&) {
  } catch (std::out_of_range const&) {
  }
  throw command_error("the server's answer is not one of its administration API");
}

std::string text_in(json::object const& o, std::string_view name) {
  return std::string(std::string_view{o.at(name).as_string()});
}

unix_ms time_in(json::object const& o, std::string_view name) {
  auto const time = parse_rfc3339(text_in(o, name));
  if (!time) throw std::invalid_argument("no time");
  return *time;
}

std::optional<unix_ms> optional_time_in(json::object const& o, std::string_view name) {
  return o.at(name).is_null() ? std::nullopt : std::optional{time_in(o, name)};
}

template <class Number>
std::optional<Number> optional_number_in(json::object const& o, std::string_view name) {
  return o.at(name).is_null() ? std::nullopt : std::optional{o.at(name).to_number<Number>()};
}

std::uint64_t id_in(json::object const& o, std::string_view name) {
  try {
    return parse_key_id(text_in(o, name));
  } catch (usage_error const& wrong) {
    throw std::invalid_argument(wrong.what());
  }
}

shown_key read_key(json::object const& o) {
  shown_key k;
  k.key.number = id_in(o, "id");
  k.key.identity = k.identity.number = id_in(o, "identity");
  k.key.prefix = text_in(o, "prefix");
  k.key.last_four = text_in(o, "lastFour");
  k.key.scope = parse_key_scope(text_in(o, "scope")).value_or(key_scope::read);
  k.key.created_at = time_in(o, "createdAt");
  k.key.expires_at = optional_time_in(o, "expiresAt");
  k.identity.name = text_in(o, "name");
  k.identity.plan = text_in(o, "plan");
  k.identity.per_minute = optional_number_in<std::uint32_t>(o, "perMinute");
  k.identity.per_day = optional_number_in<std::uint64_t>(o, "perDay");
  k.identity.banned_until = optional_time_in(o, "bannedUntil");
  k.state = text_in(o, "state");
  k.last_used = optional_time_in(o, "lastUsedAt");
  return k;
}

ports::usage_of_day read_day(json::object const& o) {
  auto const day = parse_date(text_in(o, "date"));
  if (!day) throw std::invalid_argument("no date");
  return {.day = *day,
          .admitted = o.at("admitted").to_number<std::uint64_t>(),
          .refused = o.at("refused").to_number<std::uint64_t>()};
}

audit_entry read_entry(json::object const& o) {
  audit_entry e;
  e.at = time_in(o, "time");
  e.actor = text_in(o, "actor");
  e.action = text_in(o, "action");
  e.key = id_in(o, "key");
  e.detail = text_in(o, "detail");
  return e;
}

/// Reads all pages of a list; `path` is its path in the API.
template <class Read>
auto read_pages(admin_client const& server, std::string_view path, Read read_one) {
  std::vector<decltype(read_one(json::object{}))> all;
  for (auto target = fmt::format("{}{}{}", admin_path, path, first_page); !target.empty();) {
    auto page = server.send("GET", target);
    read_answer(page.body, [&](json::value const& list) {
      for (auto const& one : list.as_array()) all.push_back(read_one(one.as_object()));
      return 0;
    });
    target = std::move(page.next);
  }
  return all;
}

/// The name of a key that is made without one: the API wants a name, and the command line does not.
constexpr std::string_view unnamed = "unnamed";

/// @{
/// Each sends the request that a command stands for.
struct sender {
  admin_client const& server;
  unix_ms now;

  std::int64_t seconds_until(unix_ms time) const { return std::chrono::ceil<std::chrono::seconds>(time - now).count(); }

  admin_client::answer operator()(create_key const& c) const {
    std::string body;
    json_object o{body};
    o.add("name", c.name.empty() ? unnamed : c.name)
        .add("plan", c.plan)
        .add("perMinute", c.per_minute)
        .add("perDay", c.per_day);
    o.add("scope", c.scope).add("expiresAt", c.expires_at).close();
    return server.send("POST", fmt::format("{}/keys", admin_path), std::move(body));
  }
  admin_client::answer operator()(rotate_key const& c) const {
    return server.send("POST", path_of(c.number, "/rotate"),
                       fmt::format(R"({{"grace":{}}})", seconds_until(c.old_expires_at)));
  }
  admin_client::answer operator()(revoke_key const& c) const {
    return server.send("POST", path_of(c.number, "/revoke"));
  }
  admin_client::answer operator()(ban_identity const& c) const {
    return server.send("PUT", path_of(c.number, "/ban"), fmt::format(R"({{"seconds":{}}})", seconds_until(c.until)));
  }
  admin_client::answer operator()(unban_identity const& c) const {
    return server.send("DELETE", path_of(c.number, "/ban"));
  }
  admin_client::answer operator()(reset_quota const& c) const {
    return server.send("POST", path_of(c.number, "/reset-quota"));
  }
  admin_client::answer operator()(set_plan const& c) const {
    update_key update;
    update.number = c.number;
    update.plan = c.plan;
    update.per_minute = c.per_minute;
    update.per_day = c.per_day;
    return (*this)(update);
  }
  admin_client::answer operator()(update_key const& c) const {
    std::string body;
    json_object o{body};
    o.add("name", c.name).add("plan", c.plan).add("scope", c.scope);
    if (c.per_minute) o.add_or_null("perMinute", *c.per_minute);
    if (c.per_day) o.add_or_null("perDay", *c.per_day);
    if (c.expires_at) o.add_or_null("expiresAt", *c.expires_at);
    o.close();
    return server.send("PATCH", path_of(c.number), std::move(body));
  }
};
/// @}

}  // namespace

made_key remote_keys::make(key_command command, caller const& who) {
  auto const told = std::visit(sender{server_, who.now}, command);
  return read_answer(told.body, [](json::value const& v) {
    return made_key{id_in(v.as_object(), "id"), text_in(v.as_object(), "key")};
  });
}

void remote_keys::change(key_command command, caller const& who) {
  std::visit(sender{server_, who.now}, command);
}

std::vector<shown_key> remote_keys::list(unix_ms) {
  return read_pages(server_, "/keys", read_key);
}

shown_key remote_keys::find(std::uint64_t number, unix_ms) {
  auto const told = server_.send("GET", path_of(number));
  return read_answer(told.body, [](json::value const& v) { return read_key(v.as_object()); });
}

std::vector<ports::usage_of_day> remote_keys::daily_usage(std::uint64_t number, usage_period period) {
  auto const query = fmt::format("/usage?from={}&to={}", to_text(period.first), to_text(period.last));
  auto const told = server_.send("GET", path_of(number, query));
  return read_answer(told.body, [](json::value const& list) {
    std::vector<ports::usage_of_day> all;
    for (auto const& one : list.as_array()) all.push_back(read_day(one.as_object()));
    return all;
  });
}

void remote_keys::visit_audit_log(std::function<void(audit_entry const&)> const& visit) {
  auto entries = read_pages(server_, "/audit", read_entry);
  std::ranges::reverse(entries);
  std::ranges::for_each(entries, visit);
}

}  // namespace petstore::program
