// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Everything that one key was told during a run, in the order of sending, and what may be concluded of each answer.
//
// All conclusions rest on one thing: the service decided about a request at some moment after it was sent and before
// its answer was received. What follows for every possible order of decisions is a finding; what depends on the order
// is none.
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

/// A request that nobody answered may still be decided so long after the client gave it up.
inline constexpr nanos late_decision = 10 * second_ns;
/// Announced ends of one period may differ by so much beyond their rounding: clocks are read twice, nodes hear of ends
/// late.
inline constexpr nanos reset_slack = second_ns;
/// Nodes hold tokens of a continuous refill ahead of need for so long at most.
inline constexpr nanos lease_delay = 2 * second_ns;
/// Tokens of a period are held until the shorter one of a plan ends: then a node knows of all others' use.
inline constexpr nanos lease_life = 62 * second_ns;
/// Tokens that a node did not need are back, and refusals that it kept are forgotten, after so long.
inline constexpr nanos leases_settle = 4 * second_ns;

/// Whether an answer means that a token was taken.
enum class charge : std::uint8_t {
  no,  ///< refused
  surely,
  maybe,   ///< no answer; an error that the service may give tokens back for; one that may be of the protocol
  foreign  ///< not of this key: 401
};
charge charge_of(note const&, bool has_key) noexcept;

/// One key's part of the run.
struct history {
  std::string name;
  bool has_key = true;
  std::vector<note> notes;             ///< by time of sending
  std::vector<std::string> resources;  ///< names, as the notes number them
  std::vector<promised_quota> promises;
  bool shared = false;
  bool exclusive = true;
  nanos run_begin = 0;

  promised_quota const* promised(std::uint8_t resource) const noexcept;
  /// How its reports call a quota: "minute", or "the quota" where the service does not name it.
  std::string name_of(std::uint8_t resource) const;
  /// "12.345 s" since the beginning of the run.
  std::string time_of(nanos) const;
};

/// Findings, of which at most findings_max are kept, the first ones of each rule.
inline constexpr std::size_t findings_max = 200;

class finding_list {
 public:
  void add(history const&, std::string_view rule, nanos when, std::string text);
  std::vector<audit_finding> take();

 private:
  std::vector<audit_finding> findings_;
  std::uint64_t left_out_ = 0;
};

/// How many of these sorted moments are before `t`.
std::int64_t count_before(std::vector<nanos> const& sorted, nanos t) noexcept;
/// How many are at `t` or before.
std::int64_t count_until(std::vector<nanos> const& sorted, nanos t) noexcept;

}  // namespace petstore::load
