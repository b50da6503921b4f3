// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "store/store_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>

#include "outcome.hpp"
#include "store/await.hpp"
#include "store/keys.hpp"
#include "store/value_or_fail.hpp"

namespace petstore::program {
namespace {

constexpr std::uint32_t audit_page = 1000;

std::string state_of(key_record const& key, identity_record const& identity, unix_ms now) {
  if (key.revoked_at) return "revoked";
  if (key.expires_at && *key.expires_at <= now) return "expired";
  return identity.banned_until && *identity.banned_until > now ? "banned" : "active";
}

}  // namespace

made_key store_keys::make(key_command command, caller const& who) {
  auto key = generate_api_key(store_.environment());
  auto const set = [&key]<class Command>(Command& c) {
    if constexpr (std::is_same_v<Command, create_key> || std::is_same_v<Command, rotate_key>) set_key(c, key);
  };
  std::visit(set, command);
  auto const done = run(std::move(command), who);
  return {done.added.value().number, std::move(key)};
}

void store_keys::change(key_command command, caller const& who) {
  run(std::move(command), who);
}

/// Runs one change. If the store refuses it, the command fails.
key_change store_keys::run(key_command command, caller const& who) {
  if (auto const* const c = std::get_if<create_key>(&command)) check_plan(plans_, {c->plan, c->per_minute, c->per_day});
  if (auto const* const c = std::get_if<set_plan>(&command)) check_plan(plans_, {c->plan, c->per_minute, c->per_day});
  auto done = await(store_.change_keys(std::move(command), who.now, who.actor));
  if (done) return std::move(*done);
  auto const& fault = done.error();
  std::string message = fault.message.empty() ? std::string(describe(fault.code).message) : fault.message;
  if (!fault.cause.empty()) message += " (" + fault.cause + ")";
  if (fault.code == errc::invalid_request) throw usage_error(message);
  throw command_error(message);
}

std::vector<shown_key> store_keys::list(unix_ms now) {
  auto const directory = value_or_fail(await(store_.read_keys()), "the keys cannot be read");
  std::unordered_map<std::uint64_t, identity_record const*> identities;
  for (auto const& identity : directory.identities) identities.emplace(identity.number, &identity);
  auto const most = std::numeric_limits<std::uint64_t>::max();
  std::unordered_map<std::uint64_t, unix_ms> last_uses;
  for (auto const& use : value_or_fail(await(store_.read_last_uses(0, most)), "the last uses cannot be read"))
    last_uses.emplace(use.key, use.at);
  std::vector<shown_key> all;
  for (auto const& key : directory.keys) {
    auto const identity = identities.find(key.identity);
    if (identity == identities.end()) {
      throw command_error(fmt::format("the store is damaged: k{} has no identity", key.number));
    }
    all.push_back({key, *identity->second, state_of(key, *identity->second, now)});
    if (auto const use = last_uses.find(key.number); use != last_uses.end()) all.back().last_used = use->second;
  }
  return all;
}

shown_key store_keys::find(std::uint64_t number, unix_ms now) {
  auto const keys = list(now);
  auto const at = std::ranges::find(keys, number, [](shown_key const& k) { return k.key.number; });
  if (at == keys.end()) throw command_error(fmt::format("there is no key k{}", number));
  return *at;
}

std::vector<ports::usage_of_day> store_keys::daily_usage(std::uint64_t number, usage_period period) {
  auto const directory = value_or_fail(await(store_.read_keys()), "the keys cannot be read");
  bool const is_known = std::ranges::any_of(directory.keys, [&](key_record const& k) { return k.number == number; });
  if (!is_known) throw command_error(fmt::format("there is no key k{}", number));
  auto const used = await(store_.read_usage(number, period.first, period.last));
  return fill_days(value_or_fail(used, "the usage cannot be read"), period);
}

void store_keys::visit_audit_log(std::function<void(audit_entry const&)> const& visit) {
  std::uint64_t after = 0;
  for (;;) {  // an entry that cannot be read is missing in its page, so a page that is not full need not be the last
    auto const page = value_or_fail(await(store_.read_audit_log(after, audit_page)), "the audit log cannot be read");
    if (page.empty()) return;
    for (auto const& e : page) visit(e);
    after = page.back().sequence;
  }
}

}  // namespace petstore::program
