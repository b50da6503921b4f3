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

/// The parameters of a thread of a run. Only `share` differs between threads.
struct worker_part {
  run_plan const& plan;
  script const& text;
  tls_settings const* tls;  ///< null if no target needs it
  schedule::share share;
  instant begin;  ///< the beginning of the warm-up, or of the run if there is no warm-up
};

/// One thread of a run: its clients, its share of the schedule, and its figures. The only changing state that workers
/// share is the count of errors that may stop the run.
///
/// In an open loop, a due request takes an idle client, or a new one, up to the worker's share of the connections. If
/// there is none, the request waits, and its latency counts from the time at which it was due. In a closed loop, all
/// clients begin at once and continue by themselves.
///
///     [playing] --the end of the schedule, or stop()--> [ending] --nothing under way, or patience over--> run()
///     returns
///
/// A request that waits to be tried again is under way, too, unless the run was stopped. One that still waits at the
/// end is unfinished.
///
/// Thread safety: `run` belongs to the worker's thread; other threads may call `stop` and `seen`. The results may be
/// read after the thread has ended.
class worker {
 public:
  /// The figures for an observer.
  struct view {
    live_interval last;
    tally total;
    std::uint64_t errors = 0;
    std::uint64_t withheld = 0;
  };

  /// The workers of a run share `errors_left` and count it down. At 0 they stop.
  worker(worker_part, std::atomic<std::int64_t>* errors_left);

  void run();

  /// Begins no more operations, and ends when no request is under way, at the latest after `stopped_wait_max`.
  void stop() noexcept;

  view seen() const;

  recorder const& figures() const noexcept { return figures_; }
  auditor const& audited() const noexcept { return auditor_; }
  tool_facts::thread const& own() const noexcept { return own_; }
  std::uint64_t waiting_most() const noexcept { return waiting_most_; }
  bool was_out_of_descriptors() const noexcept { return out_of_descriptors_; }
  instant ended() const noexcept { return ended_; }  ///< the time after which it began nothing
  /// Whether it ended because no target was reachable for the timeout of a request, while the run had no duration.
  bool ended_alone() const noexcept { return ended_alone_; }

 private:
  struct resting {
    instant until;
    virtual_client* who;
    bool operator<(resting const& other) const noexcept { return until > other.until; }  // the earliest is on top
  };

  // The loop, in worker.cpp
  bool is_closed_loop() const noexcept { return part_.plan.shape.is_max; }
  void begin_closed_loop();
  void begin_due_operations();
  void begin_operation(instant due);
  virtual_client* idle_client();
  void serve_waiting();
  void proceed_after_failures();
  void resume_rested();
  void give_up_late();
  void handle_events(std::span<epoll_event const>);
  bool is_over();
  bool has_lost_all_targets() const noexcept;
  void end_playing();
  instant take_due();
  void cut_off();
  void update_own_figures();
  void publish();
  std::chrono::nanoseconds until_next() const noexcept;
  void record_unsent(instant due);
  void count_error(instant due) noexcept;
  void read_clock() noexcept { now_ = std::chrono::steady_clock::now(); }

  // The steps of one client, in worker_client.cpp
  void proceed(virtual_client&);
  void finish_operation(virtual_client&, instant may_begin);
  void send_or_rest(virtual_client&);
  void start(virtual_client&);
  void withhold(virtual_client&);
  void open(virtual_client&);
  void opened_or_fail(virtual_client&, progress);
  void shake_hands(virtual_client&);
  void transmit(virtual_client&);
  bool continue_sending(virtual_client&);
  void on_ready(virtual_client&, std::uint32_t events);
  void receive(virtual_client&, std::uint32_t events);
  void receive_when_idle(virtual_client&);
  void complete(virtual_client&, bool surely_ends);
  void fail(virtual_client&, error_kind, std::string_view what);
  void fail_connection(virtual_client&, bool within_tls);
  void record(virtual_client&, answer_view const*, outcome const&);
  void record_unfinished_wait(virtual_client&);
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
  std::uint64_t operations_left_ = 0;  ///< operations to begin after the warm-up, in a closed loop
  std::deque<virtual_client> clients_;
  std::vector<std::vector<virtual_client*>> idle_;  ///< by target; the most recently used one is on top
  std::deque<instant> waiting_;                     ///< due times of requests without a client
  std::deque<virtual_client*> failed_;              ///< clients that continue in the next turn of the loop
  std::priority_queue<resting> resting_;
  deadlines deadlines_;
  readiness readiness_;
  std::vector<char> received_;
  std::uint64_t turn_ = 0;  ///< chooses the next target
  std::size_t address_turn_ = 0;
  std::size_t busy_ = 0;      ///< clients that are neither idle nor retired
  std::size_t retrying_ = 0;  ///< clients that rest until they try a request again
  std::uint64_t waiting_most_ = 0;
  bool out_of_descriptors_ = false;
  std::optional<instant> unreached_since_;  ///< the first failed attempt to connect since the last successful one
  bool ended_alone_ = false;
  bool is_ending_ = false;
  bool is_cut_short_ = false;  ///< nothing is sent any more, not even what is tried again
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
