// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "config/render.hpp"
#include "petstore/json.hpp"
#include "petstore/json_object.hpp"
#include "store/await.hpp"
#include "store/keys.hpp"
#include "store/value_or_fail.hpp"

namespace petstore::program {
namespace {

constexpr std::uint32_t audit_page = 1000;
constexpr std::size_t date_size = std::string_view("2026-01-01").size();
constexpr std::size_t name_column = 1;  ///< of the list

std::string id_of(std::uint64_t number) {
  return fmt::format("k{}", number);
}

std::string or_dash(std::string const& text) {
  return text.empty() ? "-" : text;
}

/// Returns the used tokens and the quota, such as `12/60`: `-` for an unknown use, and no quota if there is no limit.
std::string of_quota(std::optional<std::uint64_t> used, std::uint64_t quota) {
  auto const text = used ? std::to_string(*used) : std::string("-");
  return quota == 0 ? text : fmt::format("{}/{}", text, quota);
}

/// The quotas of an identity, and how much of them is used.
struct shown_usage {
  usage used;
  std::uint64_t per_minute = 0;
  std::uint64_t per_day = 0;  ///< 0: no limit

  shown_usage(key_usage const& all, identity_record const& identity, unix_ms now) {
    auto plan = all.plans.find(identity.plan);
    if (plan == all.plans.end()) plan = all.plans.find("free");  // as a server does
    auto refill = limits::refill::periodic;
    if (plan != all.plans.end()) {
      per_minute = plan->second.per_minute;
      per_day = plan->second.per_day;
      refill = plan->second.minute_refill;
    }
    per_minute = identity.per_minute.value_or(static_cast<std::uint32_t>(per_minute));
    per_day = identity.per_day.value_or(per_day);
    used = usage_of(all.kept, identity.number, refill, now);
  }
  std::string minute() const { return of_quota(used.minute, per_minute); }
  std::string day() const { return of_quota(used.day, per_day); }
};

/// A key and the identity that is charged for it.
struct listed_key {
  key_record const& key;
  identity_record const& identity;

  /// The parts of a key that are still shown after its creation.
  std::string hint() const { return fmt::format("{}…{}", key.prefix, key.last_four); }

  std::string_view state(unix_ms now) const {
    if (key.revoked_at) return "revoked";
    if (key.expires_at && *key.expires_at <= now) return "expired";
    return identity.banned_until && *identity.banned_until > now ? "banned" : "active";
  }

  /// The state with its date.
  std::string state_sentence(unix_ms now) const {
    auto const word = std::string(state(now));
    if (word == "revoked") return "revoked " + to_rfc3339(*key.revoked_at);
    if (word == "expired") return "expired " + to_rfc3339(*key.expires_at);
    if (word == "banned") return "banned until " + to_rfc3339(*identity.banned_until);
    return key.expires_at ? "active until " + to_rfc3339(*key.expires_at) : word;
  }

  std::string plan_with_numbers() const {
    auto const number = [](auto const& n) { return n ? std::to_string(*n) : std::string("plan's"); };
    if (!identity.per_minute && !identity.per_day) return identity.plan;
    return fmt::format("{} ({}/{})", identity.plan, number(identity.per_minute), number(identity.per_day));
  }

  void append_json(std::string& text, unix_ms now, key_usage const* all) const {
    json_object out{text};
    out.add("id", id_of(key.number)).add("identity", id_of(identity.number)).add("name", identity.name);
    out.add("plan", identity.plan).add("per_minute", identity.per_minute).add("per_day", identity.per_day);
    out.add("scope", to_string(key.scope)).add("prefix", key.prefix).add("last_four", key.last_four);
    out.add("state", state(now)).add("created_at", key.created_at);
    out.add("expires_at", key.expires_at).add("revoked_at", key.revoked_at);
    if (key.replaced_by) out.add("replaced_by", id_of(*key.replaced_by));
    out.add("banned_until", identity.banned_until);
    if (all) {
      shown_usage const u(*all, identity, now);
      out.add("minute_used", u.used.minute).add("minute_quota", u.per_minute);
      out.add("day_used", u.used.day).add("day_quota", u.per_day).add("usage_as_of", all->kept.as_of);
    }
    out.close();
  }
};

/// Returns every key with its identity, by id. Throws if an identity is missing; then the store is damaged.
std::vector<listed_key> join(key_directory const& directory) {
  std::unordered_map<std::uint64_t, identity_record const*> identities;
  for (auto const& identity : directory.identities) identities.emplace(identity.number, &identity);
  std::vector<listed_key> all;
  for (auto const& key : directory.keys) {
    auto const identity = identities.find(key.identity);
    if (identity == identities.end()) {
      throw command_error(fmt::format("the store is damaged: k{} has no identity", key.number));
    }
    all.push_back({key, *identity->second});
  }
  return all;
}

}  // namespace

void list_keys_command(ports::store& store, unix_ms now, bool json, streams out, key_usage const* all) {
  auto const directory = value_or_fail(await(store.read_keys()), "the keys cannot be read");
  auto const keys = join(directory);
  if (json) {
    std::string text = "[";
    for (auto const& k : keys) {
      if (text.size() > 1) text += ',';
      k.append_json(text, now, all);
    }
    out.out << text << "]\n";
    return;
  }
  bool const for_people = out.out_columns > 0;
  std::vector<std::vector<std::string>> lines;
  for (auto const& k : keys) {
    auto const created = to_rfc3339(k.key.created_at);
    lines.push_back({id_of(k.key.number), or_dash(k.identity.name), k.plan_with_numbers(),
                     std::string(to_string(k.key.scope)), k.hint(), for_people ? created.substr(0, date_size) : created,
                     k.state_sentence(now)});
    if (!all) continue;
    shown_usage const u(*all, k.identity, now);
    lines.back().insert(lines.back().end(), {u.minute(), u.day()});
  }
  if (!for_people) {
    out.out << tab_separated(lines);
  } else if (lines.empty()) {
    out.err << "There is no key yet: petstore keys create makes one.\n";
  } else {
    std::vector<std::string> headline{"ID", "NAME", "PLAN", "SCOPE", "KEY", "CREATED", "STATE"};
    if (all) headline.insert(headline.end(), {"THIS MINUTE", "TODAY"});
    out.out << table_of(std::move(headline), lines, out.out_columns, name_column);
  }
  if (all && for_people) {
    out.err << "Used as of " << to_rfc3339(all->kept.as_of)
            << (all->kept.is_shared ? ", by all nodes; what they have taken ahead of need counts as used.\n"
                                    : ", when the server last wrote it: within a second of a charge.\n");
  }
}

void show_key_command(ports::store& store, std::uint64_t number, unix_ms now, bool json, streams out,
                      key_usage const* all) {
  auto const directory = value_or_fail(await(store.read_keys()), "the keys cannot be read");
  auto const keys = join(directory);
  auto const found = std::ranges::find_if(keys, [&](listed_key const& k) { return k.key.number == number; });
  if (found == keys.end()) throw command_error(fmt::format("there is no key k{}", number));
  if (json) {
    std::string text;
    found->append_json(text, now, all);
    out.out << text << '\n';
    return;
  }
  auto const number_text = [](auto const& n) { return n ? std::to_string(*n) : std::string("as the plan says"); };
  std::vector<std::vector<std::string>> lines{
      {"id", id_of(number)},
      {"identity", id_of(found->identity.number)},
      {"name", or_dash(found->identity.name)},
      {"plan", found->identity.plan},
      {"per minute", number_text(found->identity.per_minute)},
      {"per day", number_text(found->identity.per_day)},
      {"scope", std::string(to_string(found->key.scope))},
      {"key", found->hint()},
      {"created", to_rfc3339(found->key.created_at)},
      {"replaced by", found->key.replaced_by ? id_of(*found->key.replaced_by) : "-"},
      {"state", found->state_sentence(now)}};
  if (all) {
    shown_usage const u(*all, found->identity, now);
    lines.push_back({"used this minute", u.minute()});
    lines.push_back({"used today", u.day()});
    lines.push_back({"used as of", to_rfc3339(all->kept.as_of)});
  }
  out.out << aligned(lines);
}

void audit_command(ports::store& store, bool json, streams out) {
  std::vector<audit_entry> page;
  std::vector<std::vector<std::string>> lines;
  std::uint64_t after = 0;
  do {
    page = value_or_fail(await(store.read_audit_log(after, audit_page)), "the audit log cannot be read");
    for (auto const& e : page) {
      after = e.sequence;
      if (json) {
        std::string text;
        json_object line{text};
        line.add("sequence", e.sequence).add("at", e.at).add("actor", e.actor).add("action", e.action);
        line.add("key", id_of(e.key)).add("detail", e.detail).close();
        out.out << text << '\n';
      } else {
        lines.push_back({to_rfc3339(e.at), e.actor, e.action, id_of(e.key), e.detail});
      }
    }
  } while (page.size() == audit_page);
  out.out << aligned(lines);
}

}  // namespace petstore::program
