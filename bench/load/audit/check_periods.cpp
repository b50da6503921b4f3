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

/// A lone busy key gets at least 95 % of a quota whose tokens nodes hold, and a token or two are always on their way.
std::int64_t spared_by_leases(std::int64_t limit) noexcept {
  return (limit + 19) / 20 + 2;
}

/// The answers that announced one end.
struct period {
  std::vector<reading const*> readings;                 // by time of sending
  std::vector<nanos> taken_sent;                        // of those that surely took a token, sorted
  std::vector<nanos> taken_received;                    // likewise
  nanos end_least = std::numeric_limits<nanos>::min();  // the ends of all of them lie in between
  nanos end_most = std::numeric_limits<nanos>::max();
};

/// Ends of two periods are at least a window apart, so that a quarter of it separates them from the rest.
std::vector<period> periods_of(quota_story const& story) {
  std::vector<reading const*> by_end;
  by_end.reserve(story.readings.size());
  for (auto const& r : story.readings) by_end.push_back(&r);
  std::ranges::stable_sort(by_end, {}, &reading::end_middle);
  auto const gap = std::max(2 * second_ns, story.window / 4);
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
    auto const begin_least = p.end_least - story.window;
    is_fresh_ = of.exclusive && begin_least > story.first_sent;
    maybe_before_ = count_before(story.maybe_over, begin_least);
  }

  void check() {
    check_end();
    if (check_admissions()) return;  // what follows from it is no second finding
    if (of_.shared) return check_shared();
    if (of_.exclusive) return check_exclusive();
    check_among_others();
  }

 private:
  std::int64_t surely_before(reading const& r, nanos delay = 0) const {
    return count_until(p_.taken_received, r.from->sent - delay);
  }
  static std::int64_t own(reading const& r) { return r.charged == charge::surely ? 1 : 0; }
  /// Requests of ours that may have taken a token before this one was decided, itself left out.
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
      // Everything announced is within a period or it is not one: tell by how much, at the answer that was furthest
      // off.
      auto const last = std::ranges::max_element(p_.readings, {}, [](reading const* r) { return r->end_least; });
      out_.add(of_, "reset-moved", (*last)->from->received,
               "the end of a period of the " + quota() + " was announced by at least " + seconds_text(spread) +
                   " later at " + of_.time_of((*last)->from->received) + " than by another answer of the same period");
    }
    for (auto const* const r : p_.readings)
      if (r->end_least > r->from->received + story_.window + reset_slack) {
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

  /// Nobody else uses the key: how many tokens of the period had gone before the run is one number, which every answer
  /// bounds from both sides.
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
    // One of the two is wrong. Where it does not follow from the period's beginning which one, the later is blamed.
    bool const blames_least =
        says_most == nullptr || (says_least != nullptr && says_least->from->received >= says_most->from->received);
    if (blames_least) return tell_too_little(*says_least, most);
    tell_too_much(*says_most, least);
  }

  /// Fewer tokens were left than there must have been.
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

  /// More tokens were left, or an admission came out of more, than there can have been.
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

  /// Others use the key as well, so tokens may go at any time; but none comes back within a period.
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

  /// Nodes hold tokens: what others hold counts as used, and what they took since a node last asked is not known there.
  /// What it admitted itself is: where there are several targets, each is a node.
  void check_shared() {
    auto before_most = is_fresh_ ? 0 : std::numeric_limits<std::int64_t>::max();
    auto const taken_here = taken_by_target();
    for (auto const* const r : p_.readings) {
      auto const here = taken_here.size() < 2 ? 0 : count_until(taken_here.at(r->from->target), r->from->sent);
      if (used(*r) - own(*r) - std::max(surely_before(*r, lease_life), here) < 0) return tell_too_much(*r, 0);
      before_most = std::min(before_most, used(*r) - own(*r));
    }
    if (!of_.exclusive) return;
    // A refusal may come while another node holds tokens; one more, after those must be back, may not.
    reading const* first = nullptr;
    for (auto const* const r : p_.readings) {
      if (r->charged != charge::no) continue;
      if (used(*r) - before_most - maybe_until(*r) <= spared_by_leases(r->limit)) return;
      if (first == nullptr) first = r;
      if (r->from->sent >= first->from->received + leases_settle) return tell_too_little(*r, before_most);
    }
  }

  /// When surely admitted requests were answered, by targets that answered any, sorted.
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
  bool is_fresh_;              // opened during the run: nobody had taken a token before
  std::int64_t maybe_before_;  // requests that may have been charged, but to an earlier period
};

/// A period begins when the one before has ended.
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

/// Whatever was announced: periods one after the other touch a stretch of time at most length / window + 2 times.
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
  auto const worst = find_busiest(std::move(all), 2 * tokens, tokens / static_cast<double>(story.window));
  if (worst.excess < 0.5) return;
  out.add(of, "over-admission", worst.end,
          std::to_string(worst.admitted) + " requests were admitted from " + of.time_of(worst.begin) + " to " +
              of.time_of(worst.end) + ", more than any periods of " + std::to_string(limit) + " tokens of the " +
              of.name_of(resource) + " allow");
}

}  // namespace

void check_periods(history const& of, std::uint8_t resource, finding_list& out) {
  auto const story = story_of(of, resource);
  auto const periods = periods_of(story);
  for (auto const& p : periods) period_checker(of, resource, story, p, out).check();
  check_order(of, resource, periods, out);
  check_stretches(of, resource, story, out);
}

}  // namespace petstore::load
