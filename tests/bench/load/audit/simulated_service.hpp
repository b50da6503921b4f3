// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A service in virtual time: its limiter is the real one (petstore::limits), its network delays are random, and what it
// tells can be spoilt on purpose. What it answers goes to auditors as the engine would bring it.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "audit/auditor.hpp"
#include "petstore/limits/account.hpp"
#include "petstore/limits/notice.hpp"
#include "scenario/chance.hpp"

namespace petstore::load {

using std::chrono::nanoseconds;

/// What an answer says, before it becomes text.
struct told_answer {
  unsigned status = 200;
  limits::notice of{};
  bool has_draft = true;
  nanoseconds decided{};  ///< what Date says
};

/// Requests of one key, each decided at a random moment between being sent and being answered.
class simulated_service {
 public:
  limits::plan plan{limits::per_minute(60), limits::per_day(1'000)};
  limits::ban_policy bans{};
  nanoseconds latency_max = std::chrono::milliseconds(20);  ///< there, and back
  double failing = 0;                                       ///< share of 5xx, whose token is given back
  double unanswered = 0;                                    ///< share of requests that the client gives up
  bool has_draft = true;                                    ///< RateLimit and RateLimit-Policy
  /// Spoils what is told, given how long the run is on.
  std::function<void(told_answer&, nanoseconds since_begin)> spoil = [](told_answer&, nanoseconds) {};

  explicit simulated_service(std::uint64_t seed = 1) : random_(seed) {}

  /// A request is sent at `when`, counted from the beginning of the run; in any order.
  void send(nanoseconds when) { sent_.push_back(when); }
  /// `count` requests, evenly spread over [from, to).
  void send_evenly(std::size_t count, nanoseconds from, nanoseconds to);

  /// Lets everything happen, and judges.
  audit_figures judged(audit_settings const& = {true, false, true}, std::vector<promised_quota> const& promises = {});

  limits::account& account() noexcept { return account_; }
  limits::instant at(nanoseconds since_begin) const;
  std::size_t admitted = 0;
  std::size_t refused = 0;

 private:
  limits::account account_;
  chance random_;
  std::vector<nanoseconds> sent_;
};

/// Hands an answer to an auditor as text, as the engine does.
void observe(auditor&, told_answer const&, nanoseconds sent, nanoseconds received, std::uint16_t target = 0,
             std::uint16_t key = 0);

/// The instant at which simulated runs begin.
instant run_begin() noexcept;

/// The field Date at this Unix time.
std::string http_date(nanoseconds wall);

/// "refused-early remaining", in the order of the findings and each once.
std::string rules_of(audit_figures const&);

}  // namespace petstore::load
