// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The quota audit: keeps what every answer said of quotas, and judges after the run whether the service did what it
// announced. What is judged is in checks.hpp, by which reasoning in history.hpp; bench/load/scenarios/README.md tells
// it to users.
//
// A worker notes with its own `auditor`; when the workers have ended, `judge` looks at all of them.
//
// Thread safety: an auditor belongs to one worker.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "audit/note.hpp"
#include "client/answer.hpp"
#include "figures/recorder.hpp"
#include "figures/results.hpp"
#include "scenario/scenario.hpp"

namespace petstore::load {

/// Answers that a run keeps for the audit, over all workers; 128 bytes each at most, so 256 MB, and
/// twice as much again while they are judged. What comes after is not judged, and the result says so.
inline constexpr std::size_t audited_answers_max = 2'000'000;

/// The end of one request. Requests that the audit does not count (getQuota, say) are not observed.
struct observation {
  std::uint16_t key = no_key;  ///< what has no key is charged to an address, as one payer
  std::uint16_t target = 0;
  instant sent;      ///< before the first byte was handed to the kernel
  instant received;  ///< after the last byte of the head was taken from it; of a failure, when it was known
  /// Null when no answer came: the request may have been charged, or not.
  answer_view const* answer = nullptr;
};

class auditor {
 public:
  /// `workers` share audited_answers_max.
  explicit auditor(unsigned workers);

  /// Allocates once in notes_per_piece calls.
  void observe(observation const&);

  std::vector<std::vector<note>> const& pieces() const noexcept { return pieces_; }
  std::vector<std::string> const& resources() const noexcept { return resources_; }
  std::uint64_t left_out() const noexcept { return left_out_; }

 private:
  static constexpr std::size_t notes_per_piece = 4'096;

  std::vector<std::vector<note>> pieces_;  // each allocated whole, so that nothing is moved during the run
  std::vector<std::string> resources_;     // names, as notes number them
  std::size_t notes_left_;
  std::uint64_t left_out_ = 0;
};

/// What the service did not keep of what it announced. `begin` is the beginning of the run: findings tell times from
/// there.
audit_figures judge(std::span<auditor const* const>, std::vector<api_key> const&, audit_settings const&, instant begin);

}  // namespace petstore::load
