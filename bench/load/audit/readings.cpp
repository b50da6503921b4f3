// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "audit/readings.hpp"

#include <algorithm>
#include <optional>

namespace petstore::load {
namespace {

/// An end in more than 30 years is ignored; in nanoseconds it would overflow.
constexpr std::int64_t furthest_reset_s = 1'000'000'000;

/// The window of a quota for which neither the service nor a plan gives one.
nanos usual_window(std::string_view resource) noexcept {
  if (resource == "second") return second_ns;
  if (resource == "hour") return 3'600 * second_ns;
  if (resource == "day") return 86'400 * second_ns;
  return 60 * second_ns;
}

policy_reading const* policy_of(note const& n, std::uint8_t resource) noexcept {
  auto const found = std::ranges::find(n.policies, resource, &policy_reading::resource);
  return found == n.policies.end() ? nullptr : &*found;
}

/// In a ban, X-RateLimit-* describes the ban, and only RateLimit describes quotas.
std::optional<reading> reading_of(note const& n, std::uint8_t resource, charge charged) {
  reading r{&n, charged, not_said, not_said, 0, 0};
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
  } else if (has_triple && n.reset != not_said && n.date != not_said) {  // rounded up, and rounded down
    if (n.reset <= n.date || n.reset - n.date > furthest_reset_s) return std::nullopt;
    r.end_least = n.sent + (n.reset - n.date - 2) * second_ns;
    r.end_most = n.received + (n.reset - n.date + 1) * second_ns;
  } else {
    return std::nullopt;
  }
  if (r.limit == not_said || r.remaining == not_said) return std::nullopt;
  return r;
}

}  // namespace

quota_story story_of(history const& of, std::uint8_t resource) {
  quota_story story;
  auto const* const promise = of.promised(resource);
  story.window = promise != nullptr ? promise->window.count() * second_ns : usual_window(of.resources[resource]);
  if (promise == nullptr)
    for (auto const& n : of.notes)
      if (auto const* const policy = policy_of(n, resource); policy != nullptr && policy->window_s > 0) {
        story.window = policy->window_s * second_ns;
        break;
      }
  if (!of.notes.empty()) story.first_sent = of.notes.front().sent;
  for (auto const& n : of.notes) {
    auto const charged = charge_of(n, of.has_key);
    if (charged == charge::foreign) continue;
    // An answer that took so long says too little about the end of the period, so it counts as a maybe.
    bool const is_sharp = n.received - n.sent < story.window / 8;
    if (charged != charge::maybe && is_sharp)
      if (auto const r = reading_of(n, resource, charged)) {
        story.readings.push_back(*r);
        continue;
      }
    if (charged == charge::no) continue;
    story.maybe_sent.push_back(n.sent);
    story.maybe_over.push_back(n.status == 0 ? n.received + late_decision : n.received);
  }
  std::ranges::sort(story.maybe_over);
  return story;
}

}  // namespace petstore::load
