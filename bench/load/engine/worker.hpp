// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <atomic>
#include <deque>
#include <mutex>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "audit/auditor.hpp"
#include "engine/deadlines.hpp"
#include "engine/readiness.hpp"
#include "engine/run_plan.hpp"
#include "engine/virtual_client.hpp"
#include "figures/recorder.hpp"
#include "figures/results.hpp"
#include "schedule/schedule.hpp"

namespace petstore::load {

/// What a thread of a run plays by: the same for all of them, but for its share.
struct worker_part {
  run_plan const& plan;
  script const& text;
  tls_settings const* tls;  ///< null when no target needs it
  schedule::share share;
  instant begin;  ///< of the warm-up, or, without one, of the run
};

/// One thread of a run: its clients, its share of the schedule, its figures. Workers share nothing that changes but the
/// count of errors that may stop the run.
///
/// In an open loop a request that is due takes a client that is idle, or a new one, up to its share of the
/// connections; beyond them it waits its turn, and its latency counts from when it was due. In a closed loop all
/// clients begin at once and go on by themselves.
///
///     [playing] --the end of the schedule, or stop()--> [ending] --nothing under way, or patience over--> run()
///     returns
///
/// Thread safety: `run` belongs to the worker's thread; `stop` and `seen` may be called from others. What it
/// found may be read when the thread has ended.
class worker {
 public:
  /// What somebody who looks on sees.
  struct view {
    live_interval last;
    std::uint64_t errors = 0;
    std::uint64_t withheld = 0;
  };

  /// `errors_left`, shared by the workers of a run, is counted down; who makes it 0 stops.
  worker(worker_part, std::atomic<std::int64_t>* errors_left);

  void run();

  /// Begins nothing more, and ends when nothing is under way, at the latest after `stopped_wait_max`.
  void stop() noexcept;

  view seen() const;

  recorder const& figures() const noexcept { return figures_; }
  auditor const& audited() const noexcept { return auditor_; }
  tool_facts::thread const& own() const noexcept { return own_; }
  std::uint64_t waiting_most() const noexcept { return waiting_most_; }
  bool was_out_of_descriptors() const noexcept { return out_of_descriptors_; }
  instant ended() const noexcept { return ended_; }  ///< when it began nothing more
  /// Nobody could be connected to for as long as a request may take, and no duration would have ended the run.
  bool ended_alone() const noexcept { return ended_alone_; }

 private:
  struct resting {
    instant until;
    virtual_client* who;
    bool operator<(resting const& other) const noexcept { return until > other.until; }  // the earliest on top
  };

  // The loop, in worker.cpp
  bool is_closed_loop() const noexcept { return part_.plan.shape.is_max; }
  void begin_closed_loop();
  void begin_what_is_due();
  void begin_operation(instant due);
  virtual_client* idle_client();
  void serve_waiting();
  void go_on_after_failures();
  void wake_the_rested();
  void give_up_late();
  void handle_events(std::span<epoll_event const>);
  bool is_over();
  bool has_lost_everybody() const noexcept;
  void end_playing();
  instant take_due();
  void cut_off();
  void look_at_itself();
  std::chrono::nanoseconds until_next() const noexcept;
  void record_unsent(instant due);
  void read_clock() noexcept { now_ = std::chrono::steady_clock::now(); }

  // What becomes of one client, in worker_client.cpp
  void proceed(virtual_client&);
  void finish_operation(virtual_client&, instant may_begin);
  void send_or_rest(virtual_client&);
  void start(virtual_client&);
  void open(virtual_client&);
  void opened_or_fail(virtual_client&, progress);
  void shake_hands(virtual_client&);
  void transmit(virtual_client&);
  bool continue_sending(virtual_client&);
  void on_ready(virtual_client&, std::uint32_t events);
  void receive(virtual_client&, std::uint32_t events);
  void look_after_idle(virtual_client&);
  void complete(virtual_client&, bool surely_ends);
  void fail(virtual_client&, error_kind, std::string_view what);
  void fail_connection(virtual_client&, bool within_tls);
  void record(virtual_client&, answer_view const*, error_kind, std::string_view what);
  void audit(virtual_client const&, answer_view const*);
  destination const& destination_of(virtual_client const& c) const { return part_.plan.destinations[c.target]; }

  worker_part const part_;
  std::size_t const clients_max_;
  instant const counted_from_;
  std::optional<instant> const end_;
  std::atomic<std::int64_t>* const errors_left_;

  instant now_;
  stage stage_;
  std::optional<schedule> schedule_;
  std::optional<instant> next_due_;
  std::uint64_t operations_left_ = 0;  ///< to begin after the warm-up, in a closed loop
  std::deque<virtual_client> clients_;
  std::vector<std::vector<virtual_client*>> idle_;  ///< by target; the one that was busy last is on top
  std::deque<instant> waiting_;                     ///< what was due and has no client yet
  std::deque<virtual_client*> failed_;              ///< who goes on in the next turn of the loop
  std::priority_queue<resting> resting_;
  deadlines deadlines_;
  readiness readiness_;
  std::vector<char> received_;
  std::uint64_t turn_ = 0;  ///< of targets
  std::size_t address_turn_ = 0;
  std::size_t busy_ = 0;  ///< clients that are neither idle nor retired
  std::uint64_t waiting_most_ = 0;
  bool out_of_descriptors_ = false;
  std::optional<instant> unreached_since_;  ///< the first of the attempts to connect that failed, none since went well
  bool ended_alone_ = false;
  bool is_ending_ = false;
  instant ending_until_{};
  instant ended_{};

  recorder figures_;
  auditor auditor_;
  tool_facts::thread own_;
  instant next_look_;
  instant last_look_;
  std::chrono::nanoseconds processor_time_at_look_{};
  std::uint64_t errors_ = 0;
  std::uint64_t withheld_ = 0;

  std::atomic<bool> stop_ = false;
  mutable std::mutex seen_guard_;
  view seen_;
};

}  // namespace petstore::load
