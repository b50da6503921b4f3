// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "audit/checks.hpp"

namespace petstore::load {
namespace {

/// What Retry-After may exceed an announced end by: both are rounded, and the clock may be read twice.
constexpr std::int64_t rounding_s = 2;

/// Makes one finding for each kind of mistake, with its count and its first case.
class tally_of_mistakes {
 public:
  tally_of_mistakes(history const& of, finding_list& out) : of_(of), out_(out) {}

  void add(char const* rule, note const& n, std::string text) {
    auto& seen = seen_[rule];
    if (seen.count++ > 0) return;
    seen.when = n.received;
    seen.text = std::move(text);
  }

  void tell() const {
    for (auto const& [rule, seen] : seen_)
      out_.add(of_, rule, seen.when,
               seen.text + " (" + of_.time_of(seen.when) +
                   (seen.count > 1 ? ", and " + std::to_string(seen.count - 1) + " more such answers)" : ")"));
  }

 private:
  struct kind {
    std::uint64_t count = 0;
    nanos when = 0;
    std::string text{};
  };
  history const& of_;
  finding_list& out_;
  std::map<std::string, kind> seen_;
};

std::string text_of(std::int64_t n) {
  return n == not_said ? "nothing" : std::to_string(n);
}

bool says_anything(note const& n) noexcept {
  return n.resource != no_resource || n.policies[0].resource != no_resource;
}

class answer_checker {
 public:
  answer_checker(history const& of, tally_of_mistakes& told) : of_(of), told_(told) {}

  void check(note const& n) {
    check_limits(n);
    check_remaining(n);
    check_agreement(n);
    check_retry_after(n);
    check_wait_is_needed(n);
  }

 private:
  void check_limit(note const& n, std::uint8_t resource, std::int64_t limit, std::int32_t window_s) {
    auto const* const promise = of_.promised(resource);
    if (promise == nullptr || limit == not_said) return;
    if (limit != promise->limit)
      told_.add("limit", n,
                "the limit of the " + of_.name_of(resource) + " was told as " + text_of(limit) +
                    ", and the plan says " + text_of(promise->limit));
    if (window_s >= 0 && window_s != promise->window.count())
      told_.add("window", n,
                "the window of the " + of_.name_of(resource) + " was told as " + std::to_string(window_s) +
                    " s, and the plan says " + std::to_string(promise->window.count()) + " s");
  }

  void check_limits(note const& n) {
    if (n.resource != no_resource) check_limit(n, n.resource, n.limit, -1);
    for (auto const& p : n.policies)
      if (p.resource != no_resource) check_limit(n, p.resource, p.limit, p.window_s);
  }

  void check_remaining_of(note const& n, std::uint8_t resource, std::int64_t limit, std::int64_t remaining) {
    if (limit == not_said || remaining == not_said) return;
    bool const was_admitted = charge_of(n, of_.has_key) == charge::surely;
    auto const most = limit - (was_admitted ? 1 : 0);
    if (remaining > most)
      told_.add("remaining", n,
                text_of(remaining) + " of " + text_of(limit) + " were told to remain of the " + of_.name_of(resource) +
                    (was_admitted ? " after a request that took one" : ""));
  }

  void check_remaining(note const& n) {
    if (n.resource != no_resource) check_remaining_of(n, n.resource, n.limit, n.remaining);
    for (auto const& p : n.policies)
      if (p.resource != no_resource) check_remaining_of(n, p.resource, p.limit, p.remaining);
    if (n.status == 429 && n.remaining > 0)
      told_.add("refused-with-tokens", n, "a refusal said itself that " + text_of(n.remaining) + " remain");
  }

  /// X-RateLimit-* and RateLimit must describe the same decision. In a ban, X-RateLimit-* has the ban's end and 0
  /// remaining tokens.
  void check_agreement(note const& n) {
    if (n.banned || n.resource == no_resource) return;
    for (auto const& p : n.policies) {
      if (p.resource != n.resource) continue;
      if (n.limit != not_said && p.limit != not_said && n.limit != p.limit)
        told_.add("headers-disagree", n,
                  "X-RateLimit-Limit said " + text_of(n.limit) + " and RateLimit-Policy q=" + text_of(p.limit));
      if (n.remaining != not_said && p.remaining != not_said && n.remaining != p.remaining)
        told_.add("headers-disagree", n,
                  "X-RateLimit-Remaining said " + text_of(n.remaining) + " and RateLimit r=" + text_of(p.remaining));
      auto const* const promise = of_.promised(n.resource);
      bool const is_continuous = promise != nullptr && promise->continuous;  // then the two times differ
      if (is_continuous || n.reset == not_said || n.date == not_said || p.more_in_s < 0) continue;
      // Date is rounded down, and the two others up. Date may be from shortly before or after the decision.
      if (auto const by_reset = n.reset - n.date; by_reset < p.more_in_s - 1 || by_reset > p.more_in_s + 2)
        told_.add("headers-disagree", n,
                  "X-RateLimit-Reset was " + std::to_string(by_reset) +
                      " s after Date and RateLimit t=" + std::to_string(p.more_in_s));
    }
  }

  void check_retry_after(note const& n) {
    if (n.status != 429) return;
    if (n.retry_after < 0) return told_.add("retry-after", n, "a refusal had no Retry-After that can be read");
    for (auto const& p : n.policies)
      if (p.resource != no_resource && p.remaining == 0 && p.more_in_s > n.retry_after)
        told_.add("retry-after", n,
                  "Retry-After said " + std::to_string(n.retry_after) + " s, and RateLimit that the " +
                      of_.name_of(p.resource) + " has no token for " + std::to_string(p.more_in_s) + " s");
  }

  /// No client needs to wait longer than until the exhausted quotas are announced to have tokens again.
  void check_wait_is_needed(note const& n) {
    if (n.status != 429 || n.banned) return;  // a ban lasts as long as it says
    auto needed = n.reset != not_said && n.date != not_said ? n.reset - n.date : not_said;
    for (auto const& p : n.policies)
      if (p.resource != no_resource && p.remaining == 0) needed = std::max<std::int64_t>(needed, p.more_in_s);
    if (needed < 0 || n.retry_after <= needed + rounding_s) return;
    told_.add("retry-after-too-long", n,
              "Retry-After said " + std::to_string(n.retry_after) +
                  " s, and the quota was announced to have tokens in " + std::to_string(needed) + " s");
  }

  history const& of_;
  tally_of_mistakes& told_;
};

}  // namespace

void check_answers(history const& of, finding_list& out) {
  tally_of_mistakes told(of, out);
  answer_checker checker(of, told);
  bool const some_say_something = std::ranges::any_of(of.notes, says_anything);
  for (auto const& n : of.notes) {
    if (n.status == 0 || charge_of(n, of.has_key) == charge::foreign) continue;
    bool const is_of_the_protocol = charge_of(n, of.has_key) == charge::maybe;
    if (is_of_the_protocol) continue;
    if (some_say_something && !says_anything(n))
      told.add("no-limits", n, "an answer with status " + std::to_string(n.status) + " said nothing of limits");
    checker.check(n);
  }
  told.tell();
}

}  // namespace petstore::load
