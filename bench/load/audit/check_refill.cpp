// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Continuous refill: a quota has L tokens a window, and one token comes back every T = window / L. This is a meter that
// rises by T with each admission and falls with time (GCRA); a request is refused if the meter would rise above the
// window. The client only knows that a request was decided within [sent, received]. The meter is highest if all
// requests were decided as late as possible, and lowest if as early as possible; the truth is in between.
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "audit/checks.hpp"
#include "audit/readings.hpp"
#include "audit/windows.hpp"

namespace petstore::load {
namespace {

/// The difference of clocks within a window, and of time readings within a request, is at most this.
constexpr nanos clock_slack = second_ns / 50;

/// The time at which the meter would be empty. Admissions must be given in the order of their times.
class meter {
 public:
  meter(nanos at_rest, nanos token) : at_rest_(at_rest), token_(token) {}
  void admit(nanos when) { at_rest_ = std::max(at_rest_, when) + token_; }
  nanos at_rest() const noexcept { return at_rest_; }

 private:
  nanos at_rest_;
  nanos token_;
};

void check_windows(history const& of, std::uint8_t resource, promised_quota const& promise, quota_story const& story,
                   finding_list& out) {
  std::vector<admission> all;
  for (auto const& r : story.readings)
    if (r.charged == charge::surely) all.push_back({r.from->sent, r.from->received});
  auto const tokens = static_cast<double>(promise.limit);
  auto const rate = tokens / static_cast<double>(story.window->least);
  // Nodes use the tokens of a lease within two lives of a lease: the tokens of two seconds, or half the bucket if less.
  auto const held = of.shared ? std::min(tokens / 2, rate * static_cast<double>(lease_delay)) : 0;
  auto const worst = find_busiest(std::move(all), tokens + held, rate);
  if (worst.excess < 0.5) return;
  out.add(of, "over-admission", worst.end,
          std::to_string(worst.admitted) + " requests were admitted from " + of.time_of(worst.begin) + " to " +
              of.time_of(worst.end) + ", " + std::to_string(static_cast<std::int64_t>(worst.excess + 0.5)) +
              " more than " + std::to_string(promise.limit) + " tokens of the " + of.name_of(resource) +
              " that come back one by one allow");
}

/// The first answer says what was used before the run.
nanos rest_at_first(quota_story const& story, std::int64_t limit, nanos token) {
  auto const& first = story.readings.front();
  auto const used = first.limit - first.remaining - (first.charged == charge::surely ? 1 : 0);
  return first.from->received + std::clamp<std::int64_t>(used, 0, limit) * token;
}

void check_refusals(history const& of, std::uint8_t resource, promised_quota const& promise, quota_story const& story,
                    finding_list& out) {
  auto const token = (story.window->least + promise.limit - 1) / promise.limit;
  auto all = story.maybe;
  for (auto const& r : story.readings)
    if (r.charged == charge::surely) all.push_back({r.from->sent, r.from->received});
  std::ranges::sort(all, {}, &possible_charge::over);
  std::vector<nanos> sent;
  for (auto const& t : all) sent.push_back(t.sent);
  std::ranges::sort(sent);

  std::vector<reading const*> refused;
  for (auto const& r : story.readings)
    if (r.charged == charge::no) refused.push_back(&r);
  std::ranges::sort(refused, {}, [](reading const* r) { return r->from->received; });

  meter highest(rest_at_first(story, promise.limit, token), token);
  std::size_t done = 0;
  for (auto const* const r : refused) {
    auto const now = r->from->received;
    for (; done < all.size() && all[done].over <= now; ++done) highest.admit(all[done].over);
    // The requests under way may all have been decided just before.
    auto const under_way = count_before(sent, now) - static_cast<std::int64_t>(done);
    auto const at_rest = under_way > 0 ? std::max(highest.at_rest(), now) + under_way * token : highest.at_rest();
    auto const level = at_rest - r->from->sent;
    if (level > (promise.limit - 1) * token - clock_slack) continue;
    auto const used = std::max<nanos>(0, (level + token - 1) / token);
    out.add(of, "refused-early", now,
            "a request was refused at " + of.time_of(now) + " although at most " + std::to_string(used) + " of " +
                std::to_string(promise.limit) + " tokens of the " + of.name_of(resource) + " were in use");
    return;
  }
}

/// An answer must not say that more tokens remain than if all requests had been decided as early as possible.
void check_remaining(history const& of, std::uint8_t resource, promised_quota const& promise, quota_story const& story,
                     finding_list& out) {
  auto const token = std::max<nanos>(1, story.window->least / promise.limit);
  meter lowest(std::numeric_limits<nanos>::min() / 2, token);
  std::size_t done = 0;
  for (auto const& r : story.readings) {
    // The meter takes answers in order, so a slow answer hides those sent after it. The result is then weaker, but
    // right.
    for (; done < story.readings.size() && story.readings[done].from->received <= r.from->sent; ++done)
      if (story.readings[done].charged == charge::surely) lowest.admit(story.readings[done].from->sent);
    auto const level = std::max<nanos>(0, lowest.at_rest() - r.from->received);
    auto const used = level / token + (r.charged == charge::surely ? 1 : 0);
    if (r.limit - r.remaining >= used - 1) continue;  // a token that is coming back may be counted either way
    out.add(of, "remaining", r.from->received,
            "at " + of.time_of(r.from->received) + " " + std::to_string(r.remaining) +
                " were told to remain although at least " + std::to_string(used - 1) + " of " +
                std::to_string(r.limit) + " tokens of the " + of.name_of(resource) + " were in use");
    return;
  }
}

}  // namespace

void check_refill(history const& of, std::uint8_t resource, promised_quota const& promise, finding_list& out) {
  auto const story = story_of(of, resource);
  if (story.readings.empty()) return;
  check_windows(of, resource, promise, story, out);
  if (of.shared) return;
  check_remaining(of, resource, promise, story, out);
  if (of.exclusive) check_refusals(of, resource, promise, story, out);
}

}  // namespace petstore::load
