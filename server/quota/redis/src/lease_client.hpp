// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "admission_queue.hpp"
#include "call_times.hpp"
#include "node_count.hpp"
#include "petstore/asio/reserved_memory.hpp"
#include "petstore/limits/operators_bans.hpp"
#include "petstore/ports/current_bans.hpp"
#include "petstore/ports/eventual.hpp"
#include "petstore/ports/quota_source.hpp"
#include "petstore/quota/redis.hpp"
#include "quota_tables.hpp"
#include "redis_faults.hpp"
#include "script_runner.hpp"
#include "shared_quota.hpp"

namespace petstore::quota {

/// Charges shared quotas: from the lease if it has a token, otherwise after a call of the server, otherwise by the
/// failure policy. There is at most one call at a time for each quota. A regular round gives unused tokens back and
/// reports strikes; heartbeats tell the server that this node is alive.
///
/// Thread safety: every function from any thread. Calls run on the executor of the options. A quota given to a function
/// must not be destroyed while it is pinned.
class lease_client : public std::enable_shared_from_this<lease_client> {
 public:
  /// The tables own the quotas that the functions below get. The client and the tables are shared with the coroutines
  /// that are under way.
  static std::shared_ptr<lease_client> open(redis_options, std::unique_ptr<script_runner>,
                                            std::shared_ptr<quota_tables>);

  ports::eventual<limits::verdict> charge(shared_quota&, ports::payer const&, limits::cost, limits::instant);
  limits::verdict refund(shared_quota&, ports::payer const&, limits::verdict const& charged, limits::instant);
  limits::verdict observe(shared_quota&, ports::payer const&, limits::instant) const;
  /// Like `observe`, but asks the server first if the known state is old.
  ports::eventual<limits::verdict> look(shared_quota&, ports::payer const&, limits::instant);
  /// Imposes an operator's ban. When this node's wall clock is set, the ban follows it.
  void impose_ban(limits::account&, limits::wall_time until, limits::instant now);
  /// An operator has lifted the bans that began before `given_at`.
  void pardon(shared_quota&, limits::wall_time given_at);

  /// Sets other rules from now on.
  void set_bans(limits::ban_policy const& bans) { bans_.set(bans); }

  ports::shared_quota_figures counters() const;
  std::uint64_t mistaken_refunds() const noexcept { return mistaken_refunds_.load(std::memory_order_relaxed); }
  limits::instant now() const { return options_.clock(); }
  redis_options const& options() const noexcept { return options_; }

  /// Gives all tokens back and removes this node from the heartbeats. The future is ready when that is done, at the
  /// latest after `leave_max`, if the executor runs.
  std::future<void> leave();
  std::chrono::milliseconds leave_max() const noexcept {
    using std::chrono::milliseconds;
    return std::clamp(options_.deadline, milliseconds{1'000}, milliseconds{5'000});
  }
  /// Ends rounds and heartbeats; requests ask the server no more.
  void stop();

 private:
  using figures = ports::shared_quota_figures;

  /// How a call ended.
  enum class outcome : std::uint8_t {
    answered,
    recalling,  ///< answered, but a request waits for tokens that other nodes are giving back
    failed,
    refused,   ///< the script ended with an error
    needless,  ///< nobody needed the call any more when it was to begin
  };

  /// What a watched quota needs.
  enum class need : std::uint8_t { nothing, watching, call };
  /// The server may have lost data when one of these facts changes.
  struct server_facts {
    std::int64_t run = 0;
    std::int64_t data_since = 0;    ///< 0: there was no answer yet
    std::uint64_t connections = 0;  ///< connections made so far, including those to the masters that get no heartbeats

    friend bool operator==(server_facts const&, server_facts const&) = default;
  };
  /// The position of a walk that repeats this node's claims, for the quotas that the server has answered since
  /// `heard_since`.
  struct claim_progress {
    limits::boot_time heard_since = limits::boot_time::max();
    std::size_t next_part = 0;
  };
  /// A walk that counts the tokens of all quotas: the sums so far, and its position.
  struct holdings {
    std::uint32_t leases = 0;
    std::uint64_t tokens = 0;
    std::size_t next_part = 0;
  };

  class open_call;

  lease_client(redis_options, std::unique_ptr<script_runner>, std::shared_ptr<quota_tables>);

  // Requests.
  asio::awaitable<limits::verdict> ask_and_charge(pin, ports::payer const&, limits::cost);
  asio::awaitable<limits::verdict> ask_and_look(pin, ports::payer const&);
  asio::awaitable<request_outcome> wait_for_answer(shared_quota&, ports::payer const&, std::optional<limits::cost>,
                                                   limits::lease::decision&);
  limits::verdict settle(shared_quota&, ports::payer const&, limits::lease::decision const&, limits::instant);
  limits::verdict decide_alone(shared_quota&, ports::payer const&, limits::cost, limits::instant);
  limits::verdict refuse_banned(shared_quota&, ports::payer const&, limits::cost, limits::instant) const;
  void note_refusal(shared_quota&, limits::instant);
  static std::optional<limits::verdict> observe_alone(shared_quota&, ports::payer const&, limits::instant);

  // Calls, on the executor.
  void begin_call(shared_quota&) noexcept;
  void begin_deferred_call(shared_quota&) noexcept;
  void begin_deferred_calls() noexcept;
  void begin_queued_calls(admission_queue&) noexcept;
  void ask_ahead(shared_quota&, ports::payer const&);
  asio::awaitable<void> call(open_call);
  bool accept_answer(shared_quota&, acquisition const& asked, acquired const& told, limits::instant sent,
                     limits::instant received);
  void settle_failure(shared_quota&, acquisition const&, bool has_not_run);
  bool is_needless(shared_quota&);
  asio::awaitable<outcome> wait_for_recalled(shared_quota&);
  void accept_recall(std::string_view payload);
  bool owes_answer(shared_quota const&) const noexcept;
  std::vector<std::string> keys_of(shared_quota const&, acquisition const&) const;
  asio::awaitable<script_answer> send(std::vector<std::string> keys, std::vector<std::string> arguments,
                                      bool wants_tokens);
  debit_ledger::question question_for(shared_quota&, limits::instant);
  void apply_penalty(shared_quota&, acquired const&, bool knows_pardon, limits::instant received);
  void end_call(shared_quota&, outcome);
  void abandon_call(shared_quota&) noexcept;
  void release(shared_quota&) noexcept;
  static void give_up_waiting(shared_quota&);
  static void wake(std::shared_ptr<waiting_request> const&);
  void report_error(std::string const& key, std::string const& what);
  void hand_out(shared_quota&, outcome, limits::instant);

  // Rounds and heartbeats, on the executor.
  void schedule_round();
  void run_round();
  bool check_watched(admission_queue&, limits::instant) noexcept;
  need need_of(shared_quota&, limits::instant) noexcept;
  void watch(shared_quota&) noexcept;
  void begin_heartbeats() noexcept;
  asio::awaitable<void> send_heartbeats(std::shared_ptr<lease_client>);
  bool accept_heartbeat(script_answer const&);
  void detect_loss(script_integers const& heartbeat);
  bool continue_claims() noexcept;
  void continue_count() noexcept;
  asio::awaitable<void> give_back_and_leave(std::promise<void>);
  asio::awaitable<void> give_back(admission_queue&, std::chrono::steady_clock::time_point deadline);
  asio::awaitable<void> wait_for_calls(admission_queue&, std::chrono::steady_clock::time_point deadline,
                                       std::uint32_t most);
  template <class Visit>
  bool visit_part(std::size_t part, Visit const&) noexcept;
  template <class Visit>
  bool visit_some(std::size_t& next, Visit const&) noexcept;

  admission_queue& queue_of(shared_quota const& q) noexcept {
    return q.of == shared_quota::owner::identity ? of_keys_ : of_addresses_;
  }
  bool could_ask(shared_quota const&, limits::instant) noexcept;
  bool may_ask(shared_quota const&, limits::instant) noexcept;
  template <std::uint64_t figures::*Figure>
  void add(std::uint64_t n = 1) {
    constexpr auto found = std::ranges::find(ports::counted_quota_figures, Figure);
    static_assert(found != ports::counted_quota_figures.end());
    counts_[static_cast<std::size_t>(found - ports::counted_quota_figures.begin())].fetch_add(
        n, std::memory_order_relaxed);
  }

  redis_options const options_;
  ports::current_bans bans_;
  std::shared_ptr<quota_tables> const quotas_;
  std::unique_ptr<script_runner> const runner_;
  node_number const number_;   ///< a random number for this run of the program
  std::string const node_;     ///< the same as text, for heartbeats
  std::string const channel_;  ///< the channel of recalls

  std::atomic<std::uint64_t> sequence_{0};
  std::atomic<std::uint32_t> nodes_{1};      ///< nodes at the last heartbeat
  std::atomic<std::int32_t> old_nodes_{-1};  ///< nodes of version 1 at the last heartbeat; -1 before the first one
  std::atomic<std::uint32_t> sharers_;       ///< nodes to divide a quota by while the server does not answer
  std::atomic<bool> stopped_{false};
  std::atomic<bool> is_missed_{false};  ///< whether the server has answered no heartbeat for a while
  std::array<std::atomic<std::uint64_t>, ports::counted_quota_figures.size()> counts_{};  ///< in that order
  std::atomic<std::uint64_t> mistaken_refunds_{0};
  call_times call_times_;
  std::atomic<std::uint32_t> leases_{0};
  std::atomic<std::uint64_t> tokens_held_{0};

  admission_queue of_keys_;
  admission_queue of_addresses_;
  limits::operators_bans operators_bans_;

  // On the executor.
  node_count node_count_;
  std::chrono::steady_clock::time_point heard_at_;  ///< when the last heartbeat was answered
  bool sends_heartbeats_ = false;
  bool may_find_old_hashes_ = true;  ///< whether hashes of version 1 may have tokens of an open period
  server_facts server_;              ///< as of that heartbeat
  claim_progress claims_;
  bool is_round_cut_short_ = false;  ///< whether the last round left work for the next
  holdings holdings_;
  /// When the log may have the next line about an error: of each known fault, and of all others.
  std::array<limits::boot_time, redis_faults.size() + 1> tells_errors_from_{};
  std::atomic<bool> is_deferring_{false};  ///< whether the timer for deferred calls runs; any thread
  reserved_memory round_memory_;
  asio::steady_timer round_timer_;
  asio::steady_timer heartbeat_timer_;
  asio::steady_timer deferral_timer_;
};

}  // namespace petstore::quota
