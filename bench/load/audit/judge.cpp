// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "audit/auditor.hpp"
#include "audit/checks.hpp"
#include "audit/history.hpp"

namespace petstore::load {
namespace {

/// Each worker has its own indexes of quota names. This gives each name one index for all.
class one_numbering {
 public:
  std::vector<std::uint8_t> add(std::vector<std::string> const& of_worker) {
    std::vector<std::uint8_t> numbers;
    for (auto const& name : of_worker) {
      auto const found = std::ranges::find(names_, name);
      numbers.push_back(static_cast<std::uint8_t>(found - names_.begin()));
      if (found == names_.end()) names_.push_back(name);
    }
    return numbers;
  }
  std::vector<std::string> const& names() const noexcept { return names_; }

 private:
  std::vector<std::string> names_;
};

void renumber(std::uint8_t& resource, std::vector<std::uint8_t> const& numbers) {
  if (resource != no_resource) resource = numbers[resource];
}

/// Of a request that may have taken a token, whatever its answer said.
note without_answer(note const& n) {
  note bare;
  bare.sent = n.sent;
  bare.received = n.received;
  bare.key = n.key;
  bare.target = n.target;
  return bare;
}

/// The answers that are left out of all workers, from the first of any of them.
struct missing_answers {
  nanos since = std::numeric_limits<nanos>::max();
  std::uint64_t count = 0;
};

missing_answers missing_from(std::span<auditor const* const> auditors) {
  missing_answers missing;
  for (auto const* const a : auditors) {
    missing.since = std::min(missing.since, a->complete_until());
    missing.count += a->left_out();
  }
  return missing;
}

/// An answer that came after the first missing request was sent may tell of that request, too. It is left out as well;
/// what was sent before may have taken a token.
std::map<std::uint16_t, std::vector<note>> notes_by_key(std::span<auditor const* const> auditors,
                                                        one_numbering& numbering, missing_answers& missing) {
  std::map<std::uint16_t, std::vector<note>> by_key;
  for (auto const* const a : auditors) {
    auto const numbers = numbering.add(a->resources());
    for (auto const& piece : a->pieces())
      for (auto n : piece) {
        if (n.received > missing.since) {
          ++missing.count;
          if (n.sent >= missing.since) continue;
          n = without_answer(n);
        }
        renumber(n.resource, numbers);
        for (auto& p : n.policies) renumber(p.resource, numbers);
        by_key[n.key].push_back(n);
      }
  }
  for (auto& [key, notes] : by_key) std::ranges::stable_sort(notes, {}, &note::sent);
  return by_key;
}

std::set<std::uint8_t> resources_in(std::vector<note> const& notes) {
  std::set<std::uint8_t> found;
  for (auto const& n : notes) {
    found.insert(n.resource);
    for (auto const& p : n.policies) found.insert(p.resource);
  }
  found.erase(no_resource);
  return found;
}

void tell_what_was_judged(audit_figures& out, audit_settings const& terms, bool has_periods, bool has_refill) {
  if (has_periods) out.checked.emplace_back("in no announced period were more requests admitted than it had tokens");
  if (has_refill)
    out.checked.emplace_back(
        "in no stretch of time were more admitted than a bucket that is refilled one by one allows");
  if (terms.exclusive && terms.shared)
    out.checked.emplace_back("of a quota that nodes share, 95 % were admitted before requests were refused for long");
  if (terms.exclusive && !terms.shared) out.checked.emplace_back("no request was refused while tokens were left");
  out.checked.emplace_back("limit, remaining, reset and Retry-After agreed with each other and with the next answers");
  if (!terms.exclusive)
    out.unchecked.emplace_back("whether requests were refused too early, since others use the keys as well");
  if (terms.shared)
    out.unchecked.emplace_back("whether remaining was exact: nodes hold tokens, and count those of others as used");
}

}  // namespace

audit_figures judge(std::span<auditor const* const> auditors, std::vector<api_key> const& keys,
                    audit_settings const& terms, instant begin) {
  audit_figures out;
  one_numbering numbering;
  auto missing = missing_from(auditors);
  auto by_key = notes_by_key(auditors, numbering, missing);
  finding_list findings;
  bool has_periods = false, has_refill = false;
  for (auto& [key, notes] : by_key) {
    history of;
    of.has_key = key != no_key;
    of.name = of.has_key ? keys[key].name : "no key";
    of.notes = std::move(notes);
    of.resources = numbering.names();
    if (of.has_key) of.promises = keys[key].promises;
    of.shared = terms.shared;
    of.exclusive = terms.exclusive;
    of.run_begin = std::chrono::nanoseconds(begin.time_since_epoch()).count();
    ++out.keys;
    for (auto const& n : of.notes) {
      out.admissions += charge_of(n, of.has_key) == charge::surely;
      out.refusals += charge_of(n, of.has_key) == charge::no;
    }
    check_answers(of, findings);
    check_retries(of, findings);
    auto const resources = resources_in(of.notes);
    for (auto const resource : resources) {
      auto const* const promise = of.promised(resource);
      bool const is_continuous = promise != nullptr && promise->continuous;
      if (is_continuous) {
        has_refill = true;
        check_refill(of, resource, *promise, findings);
      } else if (auto const why = check_periods(of, resource, findings); why.empty()) {
        has_periods = true;
      } else {
        out.unchecked.push_back(of.name + ": the periods of the " + of.name_of(resource) + ": " + why);
      }
    }
    for (auto const& promise : of.promises) {
      auto const is_it = [&](std::uint8_t resource) { return of.promised(resource) == &promise; };
      if (std::ranges::any_of(resources, is_it)) continue;
      check_unnamed(of, promise, findings);
      out.unchecked.push_back(of.name + ": the periods of the " + promise.resource +
                              ", which no answer names: only that no stretch of time had too many admissions");
    }
    if (resources.empty()) out.unchecked.push_back(of.name + ": no answer said anything of quotas");
    if (of.has_key && of.promises.empty() && !resources.empty())
      out.unchecked.push_back(of.name + ": whether the limits are those of its plan, which was not given");
  }
  if (has_periods || has_refill) tell_what_was_judged(out, terms, has_periods, has_refill);
  if (missing.count > 0)
    out.unchecked.push_back(std::to_string(missing.count) + " answers after the first " +
                            std::to_string(audited_answers_max) + ", or as late as these");
  out.findings = findings.take();
  return out;
}

}  // namespace petstore::load
