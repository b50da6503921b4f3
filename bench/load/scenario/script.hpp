// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A scenario prepared for its targets: the common parts of all requests of a step are built once, so a request is a
// copy of a few pieces.
//
// Thread safety: a script is immutable; all workers share one. A `stage` belongs to one worker.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "figures/recorder.hpp"
#include "scenario/chance.hpp"
#include "scenario/scenario.hpp"

namespace petstore::load {

/// The target of requests, as their text has it.
struct target_name {
  std::string authority;  ///< for the Host field: "127.0.0.1:8080"
  std::string base_path;  ///< before each path: "/v1", or empty
};

class script {
 public:
  /// `scenario` has at least one operation, `targets` at least one target. `keeps_alive`: whether requests leave
  /// their connection open.
  script(scenario, std::vector<target_name> targets, bool keeps_alive);

  /// The parts of a request that do not differ between requests.
  struct prepared_step {
    step const* about;
    std::uint16_t number;                 ///< the index among all steps, for figures
    std::vector<std::string> after_path;  ///< for each target: " HTTP/1.1", Host, and all fixed fields
    bool is_fixed;                        ///< requests differ only by target and key
    bool says_length;                     ///< has a Content-Length
    bool takes_key;                       ///< has no Authorization of its own
    bool is_repeatable;                   ///< may be sent again even if the first request was carried out
    bool captures_of_body;
  };
  struct prepared_operation {
    operation const* about;
    double weight_until;  ///< the sum of its weight and those before it
    std::vector<prepared_step> steps;
  };

  scenario const& played() const noexcept { return scenario_; }
  std::vector<target_name> const& targets() const noexcept { return targets_; }
  std::vector<prepared_operation> const& operations() const noexcept { return operations_; }
  /// For each key, its Authorization field with the line end.
  std::vector<std::string> const& authorizations() const noexcept { return authorizations_; }
  /// Chooses one of the operations by weight.
  prepared_operation const& drawn(chance&) const noexcept;
  std::size_t step_count() const noexcept { return operations_.back().steps.back().number + std::size_t{1}; }

  script(script const&) = delete;
  script& operator=(script const&) = delete;

 private:
  scenario const scenario_;
  std::vector<target_name> const targets_;
  std::vector<prepared_operation> operations_;
  std::vector<std::string> authorizations_;
};

/// The common state of the virtual clients of one worker: random numbers, counters, the next key, and which keys pause.
/// A key that was refused pauses only for the clients of this worker; other workers get refusals themselves.
class stage {
 public:
  /// The same seed, worker and number of workers give the same requests, if answers come in the same order.
  /// `unix_time_of_zero` is the Unix time of instant{}, for templates.
  stage(script const&, std::uint64_t seed, unsigned worker, unsigned workers,
        std::chrono::nanoseconds unix_time_of_zero = unix_time_of_steady_zero());

  script const& text() const noexcept { return script_; }
  std::chrono::sys_time<std::chrono::nanoseconds> unix_time(instant t) const noexcept {
    return std::chrono::sys_time<std::chrono::nanoseconds>(t.time_since_epoch() + unix_time_of_zero_);
  }

  static std::chrono::nanoseconds unix_time_of_steady_zero();

 private:
  friend class flow;
  script const& script_;
  chance random_;
  strided_counter counter_;
  std::vector<strided_counter> lines_;  // for each step, the next line of its file
  std::uint64_t turn_;                  // chooses the next key
  std::chrono::nanoseconds unix_time_of_zero_;
  std::vector<instant> pauses_until_;  // for each key; one entry if there are no keys
};

}  // namespace petstore::load
