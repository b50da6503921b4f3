// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <utility>
#include <vector>

#include "config/render.hpp"
#include "petstore/json.hpp"
#include "petstore/json_object.hpp"
#include "store/keys.hpp"

namespace petstore::program {
namespace {

constexpr std::size_t date_size = std::string_view("2026-01-01").size();

std::string or_dash(std::string const& text) {
  return text.empty() ? "-" : text;
}

/// The open period of a window: `today`, or one such as `this hour`.
std::string present(limits::period period) {
  auto const name = limits::name_of(period);
  return name == "day" ? "today" : "this " + name;
}

/// One window of an identity, and how much of its quota is used.
struct shown_window {
  std::optional<std::uint64_t> used;  ///< nullopt: unknown
  std::uint64_t quota = 0;            ///< 0: no limit
  limits::period period = std::chrono::days{1};

  /// The used tokens and the quota, such as `12/60`: `-` for an unknown use, and no quota if there is no limit.
  std::string numbers() const {
    auto const text = used ? std::to_string(*used) : std::string("-");
    return quota == 0 ? text : fmt::format("{}/{}", text, quota);
  }
  void add_members(json_object& out) const {
    auto const name = limits::name_of(period);
    out.add(name + "_used", used).add(name + "_quota", quota);
  }
};

/// The quotas of an identity, and how much of them is used.
struct shown_usage {
  shown_window shorter;
  shown_window longer;  ///< without one: no limit a day

  shown_usage(key_usage const& all, identity_record const& identity, unix_ms now) {
    auto const plan = plan_of(identity, all.plans).numbers;
    auto const used = usage_of(all.kept, identity.number, plan.short_refill, now);
    shorter = {used.of_short, plan.short_window.tokens(), plan.short_window.period()};
    longer.used = used.of_long;
    if (plan.long_window) longer = {used.of_long, plan.long_window.tokens(), plan.long_window.period()};
  }
};

/// A column of a list of keys that shows one of their windows. If all windows are of the usual period, its headline
/// names it; otherwise each cell does.
struct usage_column {
  std::string usual;
  std::string name;
  std::vector<shown_window> windows{};

  bool is_usual() const {
    return std::ranges::all_of(windows, [&](auto const& w) { return present(w.period) == usual; });
  }
  std::string headline() const { return in_capitals(is_usual() ? usual : name); }
  /// For people: under the headline.
  std::string cell(std::size_t i) const { return is_usual() ? windows[i].numbers() : with_period(windows[i]); }
  /// For programs: without a headline, and the same whatever the other lines say.
  std::string cell_alone(std::size_t i) const {
    return present(windows[i].period) == usual ? windows[i].numbers() : with_period(windows[i]);
  }

 private:
  static std::string with_period(shown_window const& w) { return w.numbers() + " " + present(w.period); }
};

/// A key and the identity that is charged for it.
struct listed_key : shown_key {
  /// The parts of a key that are still shown after its creation.
  std::string hint() const { return fmt::format("{}…{}", key.prefix, key.last_four); }

  /// The state with its time, of which `size` characters are shown.
  std::string state_sentence(std::size_t size = std::string::npos) const {
    auto const at = [size](unix_ms time) { return to_rfc3339(time).substr(0, size); };
    if (state == "revoked") return key.revoked_at ? "revoked " + at(*key.revoked_at) : state;
    if (state == "expired") return "expired " + at(*key.expires_at);
    if (state == "banned") return "banned until " + at(*identity.banned_until);
    return key.expires_at ? "active until " + at(*key.expires_at) : state;
  }

  std::string plan_with_numbers() const {
    auto const number = [](auto const& n) { return n ? std::to_string(*n) : std::string("plan's"); };
    if (!identity.per_minute && !identity.per_day) return identity.plan;
    return fmt::format("{} ({}/{})", identity.plan, number(identity.per_minute), number(identity.per_day));
  }

  void append_json(std::string& text, unix_ms now, key_usage const* all) const {
    json_object out{text};
    out.add("id", key_id(key.number)).add("identity", key_id(identity.number)).add("name", identity.name);
    out.add("plan", identity.plan);
    out.add_or_null("per_minute", identity.per_minute).add_or_null("per_day", identity.per_day);
    out.add("scope", to_string(key.scope)).add("prefix", key.prefix).add("last_four", key.last_four);
    out.add("state", state).add("created_at", key.created_at);
    out.add_or_null("expires_at", key.expires_at).add_or_null("last_used_at", last_used);
    bool const is_banned = identity.banned_until && *identity.banned_until > now;
    out.add_or_null("banned_until", is_banned ? identity.banned_until : std::nullopt);
    // A server does not tell these.
    out.add("revoked_at", key.revoked_at);
    if (key.replaced_by) out.add("replaced_by", key_id(*key.replaced_by));
    if (all) {
      shown_usage const u(*all, identity, now);
      u.shorter.add_members(out);
      u.longer.add_members(out);
      out.add("usage_as_of", all->kept.as_of);
    }
    out.close();
  }
};

/// Says on standard error why the usage of some keys is unknown.
void warn_of_unreadable(std::ostream& out, key_usage const& all) {
  if (all.kept.unreadable.empty()) return;
  out << "The usage of these identities is unknown, because Redis holds a value of another program or of a newer "
         "petstore for them:";
  for (auto const number : all.kept.unreadable) out << ' ' << key_id(number);
  out << '\n';
}

/// Leaves out CREATED and SCOPE: a terminal has no room for them beside the usage.
void make_room_for_usage(std::vector<std::string>& line) {
  for (auto const column : {5, 3}) line.erase(line.begin() + column);
}

}  // namespace

void list_keys_command(key_service& service, unix_ms now, bool json, streams out, key_usage const* all) {
  auto const keys = service.list(now);
  if (all) warn_of_unreadable(out.err, *all);
  if (json) {
    std::string text = "[";
    for (auto const& each : keys) {
      if (text.size() > 1) text += ',';
      listed_key{each}.append_json(text, now, all);
    }
    out.out << text << "]\n";
    return;
  }
  bool const for_people = out.out_columns > 0;
  std::vector<std::vector<std::string>> lines;
  auto const time_size = for_people ? date_size : std::string::npos;
  usage_column shorter{"this minute", "short window"};
  usage_column longer{"today", "long window"};
  for (auto const& each : keys) {
    listed_key const k{each};
    lines.push_back({key_id(k.key.number), or_dash(k.identity.name), k.plan_with_numbers(),
                     std::string(to_string(k.key.scope)), k.hint(), to_rfc3339(k.key.created_at).substr(0, time_size),
                     k.state_sentence(time_size)});
    if (!all) continue;
    shown_usage const u(*all, k.identity, now);
    shorter.windows.push_back(u.shorter);
    longer.windows.push_back(u.longer);
  }
  for (auto const* const column : {&shorter, &longer})
    for (std::size_t i = 0; i < column->windows.size(); ++i)
      lines[i].push_back(for_people ? column->cell(i) : column->cell_alone(i));
  if (!for_people) {
    out.out << tab_separated(lines);
  } else if (lines.empty()) {
    out.err << "There is no key yet: petstore keys create makes one.\n";
  } else {
    std::vector<std::string> headline{"ID", "NAME", "PLAN", "SCOPE", "KEY", "CREATED", "STATE"};
    if (all) {
      headline.insert(headline.end(), {shorter.headline(), longer.headline()});
      make_room_for_usage(headline);
      std::ranges::for_each(lines, make_room_for_usage);
    }
    out.out << table_of(std::move(headline), std::move(lines), out.out_columns);
  }
  if (all && for_people) {
    out.err << "Used as of " << to_rfc3339(all->kept.as_of)
            << (all->kept.is_shared ? ", by all nodes; what they have taken ahead of need counts as used.\n"
                                    : ", when the server last wrote it: within a second of a charge.\n");
  }
}

void show_key_command(key_service& service, std::uint64_t number, unix_ms now, bool json, streams out,
                      key_usage const* all) {
  listed_key const k{service.find(number, now)};
  if (all) warn_of_unreadable(out.err, *all);
  if (json) {
    std::string text;
    k.append_json(text, now, all);
    out.out << text << '\n';
    return;
  }
  auto const number_text = [](auto const& n) { return n ? std::to_string(*n) : std::string("as the plan says"); };
  std::vector<std::vector<std::string>> lines{{"id", key_id(number)},
                                              {"identity", key_id(k.identity.number)},
                                              {"name", or_dash(k.identity.name)},
                                              {"plan", k.identity.plan},
                                              {"per minute", number_text(k.identity.per_minute)},
                                              {"per day", number_text(k.identity.per_day)},
                                              {"scope", std::string(to_string(k.key.scope))},
                                              {"key", k.hint()},
                                              {"created", to_rfc3339(k.key.created_at)},
                                              {"last used", k.last_used ? to_rfc3339(*k.last_used) : "never"},
                                              {"state", k.state_sentence()}};
  if (k.key.replaced_by) lines.push_back({"replaced by", key_id(*k.key.replaced_by)});
  if (all) {
    shown_usage const u(*all, k.identity, now);
    for (auto const& window : {u.shorter, u.longer})
      lines.push_back({"used " + present(window.period), window.numbers()});
    lines.push_back({"used as of", to_rfc3339(all->kept.as_of)});
  }
  out.out << aligned(lines);
}

void usage_command(key_service& service, std::uint64_t number, usage_period period, usage_form form, streams out) {
  auto const usage = service.daily_usage(number, period);
  if (form == usage_form::json) {
    out.out << usage_as_json(usage) << '\n';
  } else if (form == usage_form::csv) {
    out.out << usage_as_csv(usage);
  } else {
    std::vector<std::vector<std::string>> lines;
    for (auto const& u : usage)
      lines.push_back({to_text(u.day), std::to_string(u.admitted), std::to_string(u.refused)});
    out.out << (out.out_columns > 0 ? table_of({"DATE", "ADMITTED", "REFUSED"}, std::move(lines), out.out_columns)
                                    : tab_separated(lines));
  }
}

void audit_command(key_service& service, bool json, streams out) {
  std::vector<std::vector<std::string>> lines;
  std::string_view separator = "[";
  service.visit_audit_log([&](audit_entry const& e) {
    if (!json) {
      lines.push_back({to_rfc3339(e.at), e.actor, e.action, key_id(e.key), e.detail});
      return;
    }
    std::string text;
    json_object line{text};
    if (e.sequence != 0) line.add("sequence", e.sequence);
    line.add("at", e.at).add("actor", e.actor).add("action", e.action);
    line.add("key", key_id(e.key)).add("detail", e.detail).close();
    out.out << std::exchange(separator, ",") << text;
  });
  if (!json)
    out.out << aligned(lines);
  else
    out.out << (separator == "[" ? "[]\n" : "]\n");
}

}  // namespace petstore::program
