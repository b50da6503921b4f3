// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "audit/checks.hpp"
#include "audit/readings.hpp"
#include "audit/windows.hpp"

namespace petstore::load {
namespace {

/// The tokens that may be left at a refusal while nodes hold tokens: a single busy key gets at least 95 % of its quota,
/// and one or two tokens are always on their way.
std::int64_t spared_by_leases(std::int64_t limit) noexcept {
  return (limit + 19) / 20 + 2;
}

/// The answers that announced the same end.
struct period {
  std::vector<reading const*> readings;                 // by time of sending
  std::vector<nanos> taken_sent;                        // sent times of the requests that surely took a token, sorted
  std::vector<nanos> taken_received;                    // received times of the same requests, sorted
  nanos end_least = std::numeric_limits<nanos>::min();  // the end is between this and `end_most`
  nanos end_most = std::numeric_limits<nanos>::max();
};

/// Groups answers by announced ends. Ends of two periods are at least a window apart, so a gap of a quarter separates
/// them.
std::vector<period> periods_of(quota_story const& story) {
  std::vector<reading const*> by_end;
  by_end.reserve(story.readings.size());
  for (auto const& r : story.readings) by_end.push_back(&r);
  std::ranges::stable_sort(by_end, {}, &reading::end_middle);
  auto const gap = std::max(2 * second_ns, story.window->least / 4);
  std::vector<period> periods;
  for (std::size_t i = 0; i < by_end.size(); ++i) {
    if (i == 0 || by_end[i]->end_middle() - by_end[i - 1]->end_middle() > gap) periods.emplace_back();
    auto& p = periods.back();
    p.readings.push_back(by_end[i]);
    p.end_least = std::max(p.end_least, by_end[i]->end_least);
    p.end_most = std::min(p.end_most, by_end[i]->end_most);
  }
  for (auto& p : periods) {
    std::ranges::stable_sort(p.readings, {}, [](reading const* r) { return r->from->sent; });
    for (auto const* const r : p.readings) {
      if (r->charged != charge::surely) continue;
      p.taken_sent.push_back(r->from->sent);
      p.taken_received.push_back(r->from->received);
    }
    std::ranges::sort(p.taken_received);
  }
  return periods;
}

class period_checker {
 public:
  period_checker(history const& of, std::uint8_t resource, quota_story const& story, period const& p, finding_list& out)
      : of_(of), resource_(resource), story_(story), p_(p), out_(out) {
    auto const begin_least = p.end_least - story.window->most;
    is_fresh_ = of.exclusive && begin_least > story.first_sent;
    maybe_before_ = count_before(story.maybe_over, begin_least);
  }

  void check() {
    check_end();
    if (check_admissions()) return;  // a consequence of it is not a second finding
    if (of_.shared) return check_shared();
    if (of_.exclusive) return check_exclusive();
    check_among_others();
  }

 private:
  std::int64_t surely_before(reading const& r, nanos delay = 0) const {
    return count_until(p_.taken_received, r.from->sent - delay);
  }
  static std::int64_t own(reading const& r) { return r.charged == charge::surely ? 1 : 0; }
  /// The number of other requests of this client that may have taken a token before this one was decided.
  std::int64_t maybe_until(reading const& r) const {
    return count_before(p_.taken_sent, r.from->received) - own(r) +
           std::max<std::int64_t>(0, count_before(story_.maybe_sent, r.from->received) - maybe_before_);
  }
  static std::int64_t used(reading const& r) { return r.limit - r.remaining; }

  std::string quota() const { return of_.name_of(resource_); }
  std::string ending() const {
    return "in the period of the " + quota() + " that ended at " +
           of_.time_of(p_.end_least + (p_.end_most - p_.end_least) / 2);
  }

  void check_end() {
    auto const spread = p_.end_least - p_.end_most;
    if (spread > reset_slack) {
      // The announced ends differ too much for one period. The finding names the answer with the latest end.
      auto const last = std::ranges::max_element(p_.readings, {}, [](reading const* r) { return r->end_least; });
      out_.add(of_, "reset-moved", (*last)->from->received,
               "the end of a period of the " + quota() + " was announced by at least " + seconds_text(spread) +
                   " later at " + of_.time_of((*last)->from->received) + " than by another answer of the same period");
    }
    for (auto const* const r : p_.readings)
      if (r->end_least > r->from->received + story_.window->most + reset_slack) {
        out_.add(of_, "reset-too-far", r->from->received,
                 "at " + of_.time_of(r->from->received) + " the " + quota() + " was announced to be full in " +
                     seconds_text(r->end_least - r->from->received) + ", which is longer than its window");
        return;
      }
  }

  bool check_admissions() {
    auto const count = static_cast<std::int64_t>(p_.taken_sent.size());
    std::int64_t limit = 0;
    for (auto const* const r : p_.readings) limit = std::max(limit, r->limit);
    if (count <= limit) return false;
    out_.add(of_, "over-admission", p_.taken_received.back(),
             std::to_string(count) + " requests were admitted " + ending() + ", which had " + std::to_string(limit) +
                 " tokens: " + std::to_string(count - limit) + " too many");
    return true;
  }

  /// Nobody else uses the key. The number of tokens that the period had lost before the run is one number, and every
  /// answer gives bounds for it.
  void check_exclusive() {
    std::int64_t least = 0, most = is_fresh_ ? 0 : std::numeric_limits<std::int64_t>::max();
    reading const* says_least = nullptr;
    reading const* says_most = nullptr;
    for (auto const* const r : p_.readings) {
      auto const low = used(*r) - own(*r) - maybe_until(*r);
      auto const high = used(*r) - own(*r) - surely_before(*r);
      if (low > least) {
        least = low;
        says_least = r;
      }
      if (high < most) {
        most = high;
        says_most = r;
      }
    }
    if (least <= most) return;
    // One of the two answers is wrong. If the period's beginning does not show which one, the finding names the later.
    bool const blames_least =
        says_most == nullptr || (says_least != nullptr && says_least->from->received >= says_most->from->received);
    if (blames_least) return tell_too_little(*says_least, most);
    tell_too_much(*says_most, least);
  }

  /// An answer said that fewer tokens were left than there must have been.
  void tell_too_little(reading const& r, std::int64_t before_most) {
    auto const taken = before_most + maybe_until(r);
    auto const at = "at " + of_.time_of(r.from->received);
    auto const facts = " although at most " + std::to_string(taken) + " of " + std::to_string(r.limit) +
                       " tokens of the " + quota() + " had been taken " + ending();
    if (r.charged == charge::no) {
      out_.add(of_, "refused-early", r.from->received, "a request was refused " + at + facts);
    } else {
      out_.add(
          of_, "remaining", r.from->received,
          at + " only " + std::to_string(r.remaining) + " were told to remain after a request," + facts + " before it");
    }
  }

  /// An answer said that more tokens were left than there can have been, or a request was admitted without a token.
  void tell_too_much(reading const& r, std::int64_t before_least) {
    auto const taken = before_least + surely_before(r) + own(r);
    auto const at = "at " + of_.time_of(r.from->received);
    auto const facts = " although at least " + std::to_string(taken) + " of " + std::to_string(r.limit) +
                       " tokens of the " + quota() + " had been taken " + ending();
    bool const is_beyond = own(r) == 1 && r.remaining == 0 && taken > r.limit;
    out_.add(of_, is_beyond ? "over-admission" : "remaining", r.from->received,
             is_beyond ? "a request was admitted " + at + facts + ", itself counted"
                       : at + " " + std::to_string(r.remaining) + " were told to remain," + facts);
  }

  /// Others use the key, too, so tokens may disappear at any time. But no token may come back within a period.
  void check_among_others() {
    auto by_received = p_.readings;
    std::ranges::stable_sort(by_received, {}, [](reading const* r) { return r->from->received; });
    std::int64_t least = 0;
    std::size_t heard = 0;
    for (auto const* const r : p_.readings) {
      for (; heard < by_received.size() && by_received[heard]->from->received <= r->from->sent; ++heard)
        least =
            std::max(least, used(*by_received[heard]) - own(*by_received[heard]) - maybe_until(*by_received[heard]));
      if (used(*r) - own(*r) - surely_before(*r) < least) return tell_too_much(*r, least);
    }
  }

  /// Nodes hold tokens. For a node, the tokens that others hold count as used, and it does not know what others took
  /// since it last asked. It knows what it admitted itself; if there are several targets, each is a node.
  void check_shared() {
    auto before_most = is_fresh_ ? 0 : std::numeric_limits<std::int64_t>::max();
    auto const taken_here = taken_by_target();
    for (auto const* const r : p_.readings) {
      auto const here = taken_here.size() < 2 ? 0 : count_until(taken_here.at(r->from->target), r->from->sent);
      if (used(*r) - own(*r) - std::max(surely_before(*r, lease_life), here) < 0) return tell_too_much(*r, 0);
      before_most = std::min(before_most, used(*r) - own(*r));
    }
    if (!of_.exclusive) return;
    // A refusal is right while another node holds tokens. A second one, after these tokens must be back, is wrong.
    reading const* first = nullptr;
    for (auto const* const r : p_.readings) {
      if (r->charged != charge::no) continue;
      if (used(*r) - before_most - maybe_until(*r) <= spared_by_leases(r->limit)) return;
      if (first == nullptr) first = r;
      if (r->from->sent >= first->from->received + leases_settle) return tell_too_little(*r, before_most);
    }
  }

  /// The sorted times at which surely admitted requests were answered, for each target that answered any request.
  std::map<std::uint16_t, std::vector<nanos>> taken_by_target() const {
    std::map<std::uint16_t, std::vector<nanos>> taken;
    for (auto const* const r : p_.readings) {
      auto& here = taken[r->from->target];
      if (r->charged == charge::surely) here.push_back(r->from->received);
    }
    for (auto& [target, received] : taken) std::ranges::sort(received);
    return taken;
  }

  static std::string seconds_text(nanos t) { return std::to_string(t / second_ns) + " s"; }

  history const& of_;
  std::uint8_t const resource_;
  quota_story const& story_;
  period const& p_;
  finding_list& out_;
  bool is_fresh_;              // the period was opened during the run, so no token was taken before
  std::int64_t maybe_before_;  // requests that may have been charged to an earlier period
};

/// A period must not begin before the end of the one before.
void check_order(history const& of, std::uint8_t resource, std::vector<period> const& periods, finding_list& out) {
  for (std::size_t i = 1; i < periods.size(); ++i) {
    auto const& before = periods[i - 1];
    auto const& now = periods[i];
    if (before.taken_sent.empty() || now.taken_received.empty()) continue;
    auto const early = std::min(before.end_least, before.end_most) - now.taken_received.front();
    if (early <= reset_slack) continue;
    out.add(of, "reset-early", now.taken_received.front(),
            "a new period of the " + of.name_of(resource) + " was announced at " +
                of.time_of(now.taken_received.front()) + ", " + std::to_string(early / second_ns) +
                " s or more before the end that had been announced for the one before");
  }
}

/// A check that does not depend on announced ends: at most length / window + 2 periods overlap any stretch of time.
void check_stretches(history const& of, std::uint8_t resource, quota_story const& story, finding_list& out) {
  std::vector<admission> all;
  std::int64_t limit = 0;
  for (auto const& r : story.readings) {
    if (r.charged != charge::surely) continue;
    all.push_back({r.from->sent, r.from->received});
    limit = std::max(limit, r.limit);
  }
  if (limit == 0) return;
  auto const tokens = static_cast<double>(limit);
  auto const worst = find_busiest(std::move(all), 2 * tokens, tokens / static_cast<double>(story.window->least));
  if (worst.excess < 0.5) return;
  out.add(of, "over-admission", worst.end,
          std::to_string(worst.admitted) + " requests were admitted from " + of.time_of(worst.begin) + " to " +
              of.time_of(worst.end) + ", more than any periods of " + std::to_string(limit) + " tokens of the " +
              of.name_of(resource) + " allow");
}

}  // namespace

std::string check_periods(history const& of, std::uint8_t resource, finding_list& out) {
  auto const story = story_of(of, resource);
  if (!story.window)
    return "no plan and no answer says how long its periods are, and the announced ends do not show it";
  check_stretches(of, resource, story, out);
  if (!story.window->told_apart) return "its periods are too short to be told apart by ends in whole seconds";
  auto const periods = periods_of(story);
  for (auto const& p : periods) period_checker(of, resource, story, p, out).check();
  check_order(of, resource, periods, out);
  return {};
}

}  // namespace petstore::load
