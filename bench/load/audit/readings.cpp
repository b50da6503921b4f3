// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "audit/readings.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace petstore::load {
namespace {

/// An end in more than 30 years is ignored; in nanoseconds it would overflow.
constexpr std::int64_t furthest_reset_s = 1'000'000'000;

/// Periods that are shorter cannot be told apart, because ends are announced in whole seconds.
constexpr nanos shortest_told_apart = 4 * second_ns;
/// One period is announced with at most so many different ends, since clocks are read twice and times are rounded. If
/// there are more, the end moves with each answer, and there are no periods.
constexpr std::size_t ends_of_a_period_max = 3;

policy_reading const* policy_of(note const& n, std::uint8_t resource) noexcept {
  auto const found = std::ranges::find(n.policies, resource, &policy_reading::resource);
  return found == n.policies.end() ? nullptr : &*found;
}

/// In a ban, X-RateLimit-* describes the ban, and only RateLimit describes quotas.
std::optional<reading> reading_of(note const& n, std::uint8_t resource, charge charged) {
  reading r{.from = &n, .charged = charged};
  auto const* const policy = policy_of(n, resource);
  bool const has_triple = n.resource == resource && !n.banned;
  if (policy != nullptr) {
    r.limit = policy->limit;
    r.remaining = policy->remaining;
  }
  if (has_triple) {
    if (r.limit == not_said) r.limit = n.limit;
    // A refusal lists only exhausted quotas, so it says nothing about the others.
    if (r.remaining == not_said && (policy == nullptr || charged == charge::surely)) r.remaining = n.remaining;
  }
  if (policy != nullptr && policy->more_in_s >= 0) {  // rounded up
    if (policy->more_in_s == 0) return std::nullopt;
    r.end_least = n.sent + (policy->more_in_s - 1) * second_ns;
    r.end_most = n.received + policy->more_in_s * second_ns;
    if (n.date != not_said) r.told_end = n.date + policy->more_in_s;
  } else if (has_triple && n.reset != not_said && n.date != not_said) {  // rounded up, and rounded down
    if (n.reset <= n.date || n.reset - n.date > furthest_reset_s) return std::nullopt;
    r.end_least = n.sent + (n.reset - n.date - 2) * second_ns;
    r.end_most = n.received + (n.reset - n.date + 1) * second_ns;
    r.told_end = n.reset;
  } else {
    return std::nullopt;
  }
  if (r.limit == not_said || r.remaining == not_said) return std::nullopt;
  return r;
}

/// The window that the plan or RateLimit-Policy says; 0 if neither does.
nanos told_window(history const& of, std::uint8_t resource) noexcept {
  if (auto const* const promise = of.promised(resource)) return promise->window.count() * second_ns;
  for (auto const& n : of.notes)
    if (auto const* const policy = policy_of(n, resource); policy != nullptr && policy->window_s > 0)
      return policy->window_s * second_ns;
  return 0;
}

/// What the announced ends show of the window. A period lasts at least as long as it was announced to last still, and
/// at most as long as from its end to the next end.
std::optional<window_range> window_by_ends(std::vector<reading> const& readings) {
  window_range shown{second_ns, furthest_reset_s * second_ns, true};
  std::set<std::int64_t> ends;
  for (auto const& r : readings) {
    if (r.told_end == not_said) continue;
    shown.least = std::max(shown.least, r.end_least - r.from->received);
    ends.insert(r.told_end);
  }
  if (ends.empty()) return std::nullopt;
  auto const gap = std::max<std::int64_t>(1, shown.least / 4 / second_ns);
  auto first = *ends.begin(), last = first;
  std::size_t different = 0;
  for (auto const end : ends) {
    if (end - last > gap) {
      shown.most = std::min(shown.most, (end - last + 2) * second_ns);  // both are rounded
      shown.told_apart = shown.told_apart && (end - last) * second_ns >= shortest_told_apart;
      first = end;
      different = 0;
    }
    last = end;
    if (++different > ends_of_a_period_max && last - first >= static_cast<std::int64_t>(ends_of_a_period_max))
      return std::nullopt;
  }
  shown.most = std::max(shown.least, shown.most);
  return shown;
}

/// All answers that say enough, however long they took.
std::vector<reading> all_readings(history const& of, std::uint8_t resource) {
  std::vector<reading> all;
  for (auto const& n : of.notes) {
    auto const charged = charge_of(n, of.has_key);
    if (charged == charge::foreign || charged == charge::maybe) continue;
    if (auto const r = reading_of(n, resource, charged)) all.push_back(*r);
  }
  return all;
}

std::optional<window_range> window_of(history const& of, std::uint8_t resource, std::vector<reading> const& readings) {
  if (auto const told = told_window(of, resource); told > 0)
    return window_range{told, told, told >= shortest_told_apart};
  return window_by_ends(readings);
}

}  // namespace

quota_story story_of(history const& of, std::uint8_t resource) {
  quota_story story;
  auto const all = all_readings(of, resource);
  story.window = window_of(of, resource, all);
  if (!story.window) return story;
  if (!of.notes.empty()) story.first_sent = of.notes.front().sent;
  auto next = all.begin();
  for (auto const& n : of.notes) {
    bool const is_read = next != all.end() && next->from == &n;
    auto const* const r = is_read ? &*next++ : nullptr;
    // An answer that took so long says too little about the end of the period, so it counts as a maybe.
    bool const is_sharp = n.received - n.sent < story.window->least / 8;
    if (r != nullptr && is_sharp) {
      story.readings.push_back(*r);
      continue;
    }
    auto const charged = charge_of(n, of.has_key);
    if (charged == charge::foreign || charged == charge::no) continue;
    possible_charge const m{n.sent, n.status == 0 ? n.received + late_decision : n.received};
    story.maybe.push_back(m);
    story.maybe_sent.push_back(m.sent);
    story.maybe_over.push_back(m.over);
  }
  std::ranges::sort(story.maybe_over);
  return story;
}

}  // namespace petstore::load
