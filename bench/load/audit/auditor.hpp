// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The quota audit: it keeps what every answer said about quotas, and checks after the run whether the service did what
// it announced. checks.hpp has the checks, and history.hpp the reasoning; bench/load/scenarios/README.md describes them
// for users.
//
// Each worker records answers with its own `auditor`. When the workers have ended, `judge` checks all of them together.
//
// Thread safety: an auditor belongs to one worker.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "audit/note.hpp"
#include "client/answer.hpp"
#include "figures/recorder.hpp"
#include "figures/results.hpp"
#include "scenario/scenario.hpp"

namespace petstore::load {

/// The number of answers that a run keeps for the audit, over all workers. Each takes at most 128 bytes, so all take
/// 256 MB, and twice as much in addition while they are checked. Answers that may rest on one that was not kept, of any
/// worker, are not checked, and the result says so.
inline constexpr std::size_t audited_answers_max = 2'000'000;

/// The end of one request. Requests that cost no token, such as getQuota, are not observed.
struct observation {
  std::uint16_t key = no_key;  ///< requests without a key are charged to one address, as one payer
  std::uint16_t target = 0;
  instant sent;      ///< before the first byte was given to the kernel
  instant received;  ///< after the last byte of the head was read; for a failure, when it was known
  /// Null if no answer came: then it is unknown whether the request was charged.
  answer_view const* answer = nullptr;
  std::chrono::sys_seconds unix_time{};  ///< of `received`, by the client's clock; only for answers without Date
};

class auditor {
 public:
  /// `workers` share audited_answers_max.
  explicit auditor(unsigned workers);

  /// Allocates memory once in notes_per_piece calls.
  void observe(observation const&);

  std::vector<std::vector<note>> const& pieces() const noexcept { return pieces_; }
  std::vector<std::string> const& resources() const noexcept { return resources_; }
  std::uint64_t left_out() const noexcept { return left_out_; }
  /// The first request whose answer was left out was sent at this time of the steady clock, in nanoseconds.
  std::int64_t complete_until() const noexcept { return complete_until_; }

 private:
  static constexpr std::size_t notes_per_piece = 4'096;

  std::vector<std::vector<note>> pieces_;  // each is allocated at once, so that nothing is moved during the run
  std::vector<std::string> resources_;     // the names of quotas; notes have their indexes
  std::size_t notes_left_;
  std::uint64_t left_out_ = 0;
  std::int64_t complete_until_ = std::numeric_limits<std::int64_t>::max();
};

/// Finds where the service did not do what it announced. `begin` is the beginning of the run; times in findings count
/// from there.
audit_figures judge(std::span<auditor const* const>, std::vector<api_key> const&, audit_settings const&, instant begin);

}  // namespace petstore::load
