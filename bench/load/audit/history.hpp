// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// All answers for one key during a run, in the order of sending, and what each answer means.
//
// All conclusions have one premise: the service decided a request at some moment after it was sent and before its
// answer was received. A finding must follow for every possible order of decisions.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "audit/note.hpp"
#include "figures/results.hpp"
#include "scenario/scenario.hpp"

namespace petstore::load {

/// Nanoseconds of the steady clock.
using nanos = std::int64_t;
inline constexpr nanos second_ns = 1'000'000'000;

/// How long after the client has given up a request the service may still decide it.
inline constexpr nanos late_decision = 10 * second_ns;
/// How much announced ends of one period may differ in addition to their rounding: clocks are read twice, and nodes
/// learn of ends late.
inline constexpr nanos reset_slack = second_ns;
/// How long nodes hold tokens of a continuous refill in advance at most.
inline constexpr nanos lease_delay = 2 * second_ns;
/// Nodes hold tokens until the shorter period of a plan ends. After this time, a node knows what all others used.
inline constexpr nanos lease_life = 62 * second_ns;
/// After this time, unused tokens of a node are back, and its kept refusals have ended.
inline constexpr nanos leases_settle = 4 * second_ns;

/// Whether an answer means that a token was taken.
enum class charge : std::uint8_t {
  no,  ///< refused
  surely,
  maybe,   ///< no answer, or an error for which the service may take no token or give tokens back
  foreign  ///< 401: charged to another payer than this key
};
charge charge_of(note const&, bool has_key) noexcept;

/// The answers for one key.
struct history {
  std::string name;
  bool has_key = true;
  std::vector<note> notes;             ///< by time of sending
  std::vector<std::string> resources;  ///< the names of quotas; notes have their indexes
  std::vector<promised_quota> promises;
  bool shared = false;
  bool exclusive = true;
  nanos run_begin = 0;

  promised_quota const* promised(std::uint8_t resource) const noexcept;
  /// The name of a quota for findings: "minute", or "quota" if the service does not name it.
  std::string name_of(std::uint8_t resource) const;
  /// "12.345 s" since the beginning of the run.
  std::string time_of(nanos) const;
};

/// A list of findings that keeps at most findings_max and counts the others.
inline constexpr std::size_t findings_max = 200;

class finding_list {
 public:
  void add(history const&, std::string_view rule, nanos when, std::string text);
  std::vector<audit_finding> take();

 private:
  std::vector<audit_finding> findings_;
  std::uint64_t left_out_ = 0;
};

/// The number of these sorted times that are before `t`.
std::int64_t count_before(std::vector<nanos> const& sorted, nanos t) noexcept;
/// The number that are at `t` or before.
std::int64_t count_until(std::vector<nanos> const& sorted, nanos t) noexcept;

}  // namespace petstore::load
