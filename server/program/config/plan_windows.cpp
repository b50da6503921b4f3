// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/plan_windows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/suggestion.hpp"
#include "config/values.hpp"

namespace petstore::program {
namespace {

constexpr std::string_view refill_key = "refill";

std::string_view name_of(limits::refill refill) {
  return refill == limits::refill::periodic ? "periodic" : "continuous";
}

std::string in_words(std::uint64_t tokens, limits::period period) {
  auto const name = limits::name_of(period);
  return fmt::format("{} {} {}", tokens, name == "hour" ? "an" : "a", name);
}

/// Reads one table.
class plan_reader {
 public:
  plan_reader(std::string const& name, std::map<std::string, written_value> const& members, std::string const& source,
              std::vector<std::string>& faults)
      : name_{name}, members_{members}, source_{source}, faults_{faults} {}

  std::optional<limits::plan> read(limits::plan const* standard) {
    auto const faults_before = faults_.size();
    check_names();
    auto const shorter = find_short();
    auto const longer = find_long(shorter);
    if (!shorter && !standard && faults_.size() == faults_before)
      fault(source_, "plans.{}: per_second, per_minute or per_hour is missing", name_);
    limits::plan plan = standard ? *standard : limits::plan{limits::per_minute(1)};
    if (shorter) read_short(*shorter, plan);
    if (longer) read_long(*longer, plan);
    read_refill(plan);
    return faults_.size() == faults_before ? std::optional{plan} : std::nullopt;
  }

 private:
  written_value const* find(std::string_view key) const {
    auto const found = members_.find(std::string{key});
    return found == members_.end() ? nullptr : &found->second;
  }

  /// An hour is the short window only where no shorter one is named.
  window_key const* find_short() {
    window_key const* found = nullptr;
    for (auto const& key : window_keys) {
      if (!key.may_be_short || !find(key.name) || (found && key.may_be_long)) continue;
      if (found) say_both(*found, key, "short");
      found = &key;
    }
    return found;
  }
  window_key const* find_long(window_key const* shorter) {
    window_key const* found = nullptr;
    for (auto const& key : window_keys) {
      if (!key.may_be_long || !find(key.name) || &key == shorter) continue;
      if (found) say_both(*found, key, "long");
      found = &key;
    }
    return found;
  }
  void say_both(window_key const& first, window_key const& second, std::string_view which) {
    fault(find(second.name)->source, "plans.{}: {} and {} are both its {} window; leave one out", name_, first.name,
          second.name, which);
  }

  void read_short(window_key const& key, limits::plan& plan) {
    read_value(key.name, [&](std::string const& text) {
      auto const tokens = parse_integer(text, 1, limits::short_tokens_max);
      plan.short_window = limits::short_window::of(key.make(tokens)).value();
    });
  }
  void read_long(window_key const& key, limits::plan& plan) {  // 0: none
    read_value(key.name, [&](std::string const& text) {
      auto const most = key.make(1).period.is_aligned() ? limits::long_tokens_max : limits::long_tokens_by_request_max;
      auto const tokens = parse_integer(text, 0, static_cast<std::int64_t>(most));
      plan.long_window = tokens == 0 ? limits::long_window{} : limits::long_window::of(key.make(tokens)).value();
    });
  }
  void read_refill(limits::plan& plan) {
    read_value(refill_key, [&](std::string const& text) {
      using enum limits::refill;
      plan.short_refill =
          parse_choice<limits::refill>(text, {{name_of(periodic), periodic}, {name_of(continuous), continuous}});
    });
  }
  template <class Read>
  void read_value(std::string_view key, Read read) {
    auto const* const written = find(key);
    if (!written) return;
    try {
      read(written->text);
    } catch (value_error const& wrong) {
      fault(written->source, "plans.{}.{}: `{}` {}", name_, key, written->text, wrong.what());
    }
  }

  void check_names() {
    std::vector<std::string> known{std::string{refill_key}};
    for (auto const& key : window_keys) known.emplace_back(key.name);
    for (auto const& [key, written] : members_)
      if (std::ranges::find(known, key) == known.end())
        fault(written.source, "unknown key `plans.{}.{}`{}", name_, key, suggestion_for(key, known));
  }

  template <class... Words>
  void fault(std::string const& source, fmt::format_string<Words...> what, Words&&... words) {
    faults_.push_back(fmt::format("{} (from {})", fmt::format(what, std::forward<Words>(words)...), source));
  }

  std::string const& name_;
  std::map<std::string, written_value> const& members_;
  std::string const& source_;
  std::vector<std::string>& faults_;
};

}  // namespace

std::string key_of(limits::period period) {
  return "per_" + limits::name_of(period);
}

std::string in_words(limits::plan const& plan) {
  auto const longer =
      plan.long_window ? in_words(plan.long_window.tokens(), plan.long_window.period()) + ", " : std::string{};
  return fmt::format("{}, {}{}", in_words(plan.short_window.tokens(), plan.short_window.period()), longer,
                     name_of(plan.short_refill));
}

std::optional<limits::plan> read_plan(std::string const& name, std::map<std::string, written_value> const& members,
                                      std::string const& source, limits::plan const* standard,
                                      std::vector<std::string>& faults) {
  return plan_reader{name, members, source, faults}.read(standard);
}

}  // namespace petstore::program
