// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// The start of lease_client, its rounds and heartbeats, and its end, on its own executor.
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <random>
#include <utility>

#include "lease_client.hpp"
#include "petstore/asio/as_result.hpp"

namespace petstore::quota {
namespace {

using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;

/// The interval of the rounds, which look for idle tokens, strikes and tokens spent without the server.
constexpr auto round_interval = 250ms;
/// The interval at which strikes of one quota are reported.
constexpr std::chrono::nanoseconds report_interval = 1'250ms;
/// The interval of heartbeats. heartbeat.lua forgets a node after six of them.
constexpr auto heartbeat_interval = 500ms;
/// The pause after a missed heartbeat: at the start there is no connection for a moment.
constexpr auto heartbeat_retry = 50ms;
/// After this time without an answer the log says so.
constexpr auto missed_after = 1s;
/// A round begins calls of an admission queue until this number are queued or under way, so that they do not fill the
/// queue of the Redis client. The rest waits for the next round. But each round may begin at least the second number.
constexpr std::uint32_t calls_a_round_max = 1'000, calls_a_round_min = 100;
/// The pause before the next round if this one left work for it.
constexpr auto round_soon = 25ms;
/// The number of parts of the tables that one round walks over, which takes some milliseconds.
constexpr int parts_a_round = 256;
/// The limit of calls under way for addresses, on all nodes together. They take the server some five milliseconds, and
/// callers with a key can wait that long.
constexpr std::uint32_t address_calls_max = 256;
/// Calls for keys have no limit here; the Redis client has a limit of its own.
constexpr std::uint32_t no_limit = ~std::uint32_t{0};
/// How long a hash of version 1 counts after its last change, bans aside: until the end of its day, which may be a day
/// ahead where the clock was set back.
constexpr std::chrono::milliseconds old_tokens_max = 48h;
constexpr auto leave_poll_interval = 2ms;

node_number random_number() {
  std::random_device source;
  constexpr node_number most = (node_number{1} << 48) - 1;
  return std::uniform_int_distribution<node_number>(1, most)(source);
}

std::vector<std::string> heartbeat_keys(std::string const& environment) {
  std::vector<std::string> keys;
  for (char const* const what : {":nodes", ":since", ":nodes2"}) keys.push_back("{" + environment + "}" + what);
  return keys;
}

}  // namespace

lease_client::lease_client(redis_options options, std::unique_ptr<script_runner> runner,
                           std::shared_ptr<quota_tables> tables)
    : options_(std::move(options)),
      bans_(options_.bans),
      quotas_(std::move(tables)),
      runner_(std::move(runner)),
      number_(random_number()),
      node_(std::to_string(number_)),
      channel_(recall_channel(options_.environment)),
      of_keys_(no_limit, options_.deadline),
      of_addresses_(address_calls_max, options_.deadline),
      node_count_(options_.nodes_min),
      heard_at_(steady::now()),
      round_timer_(options_.executor.get()),
      heartbeat_timer_(options_.executor.get()),
      deferral_timer_(options_.executor.get()) {
  sharers_ = node_count_.sharers();
}

std::shared_ptr<lease_client> lease_client::open(redis_options options, std::unique_ptr<script_runner> runner,
                                                 std::shared_ptr<quota_tables> tables) {
  std::shared_ptr<lease_client> made(new lease_client(std::move(options), std::move(runner), std::move(tables)));
  asio::post(made->options_.executor.get(), [made] {
    auto hear = [held = made->weak_from_this()](std::string_view payload) {
      if (auto const self = held.lock()) self->accept_recall(payload);
    };
    made->runner_->listen(made->channel_, std::move(hear));
    made->begin_heartbeats();
    made->schedule_round();
  });
  return made;
}

void lease_client::watch(shared_quota& q) noexcept {
  if (q.is_watched.load() || q.is_watched.exchange(true)) return;
  q.pins.fetch_add(1, std::memory_order_relaxed);
  queue_of(q).watch(q);
}

/// Uses reserved memory, so that the rounds continue after a time without free memory.
void lease_client::schedule_round() {
  round_timer_.expires_after(is_round_cut_short_ ? round_soon : round_interval);
  auto next = [self = shared_from_this()](boost::system::error_code const&) {
    if (self->stopped_) return;
    self->schedule_round();
    self->run_round();
  };
  round_timer_.async_wait(asio::bind_allocator(reserved_allocator<void>(round_memory_), std::move(next)));
}

void lease_client::run_round() {
  if (!sends_heartbeats_) begin_heartbeats();
  limits::instant const now = options_.clock();
  operators_bans_.follow_wall_clock(now);
  bool is_whole = continue_claims();
  for (admission_queue* const queue : {&of_keys_, &of_addresses_}) is_whole = check_watched(*queue, now) && is_whole;
  is_round_cut_short_ = !is_whole;
  continue_count();
}

/// Counts the tokens in some parts of the tables; each round continues where the last one stopped.
void lease_client::continue_count() noexcept {
  limits::instant const now = options_.clock();
  auto const add_holdings = [&](shared_quota& q) {
    if (q.lease.lies_idle(now)) return;
    auto const tokens = q.lease.tokens();
    holdings_.leases += tokens != 0;
    holdings_.tokens += tokens;
  };
  if (!visit_some(holdings_.next_part, add_holdings)) return;
  leases_.store(holdings_.leases, std::memory_order_relaxed);
  tokens_held_.store(holdings_.tokens, std::memory_order_relaxed);
  holdings_ = {};
}

/// Checks the watched quotas and begins their calls. Returns whether it reached the last of them.
bool lease_client::check_watched(admission_queue& queue, limits::instant now) noexcept {
  std::uint32_t const begun = queue.begun();
  admission_queue::quota_list all = queue.take_watched();
  admission_queue::quota_list seen;
  for (auto calls_left = std::max(calls_a_round_min, calls_a_round_max - std::min(begun, calls_a_round_max));
       calls_left > 0;) {
    if (all.empty()) break;
    shared_quota* const q = &all.front();
    all.pop_front();
    need const has = need_of(*q, now);
    if (has == need::nothing) {
      q->pins.fetch_sub(1, std::memory_order_release);
      continue;
    }
    seen.push_back(*q);
    if (has != need::call) continue;
    --calls_left;
    begin_call(*q);
  }
  bool const is_whole = all.empty();
  all.splice(all.end(), seen);
  queue.watch_first(std::move(all));
  return is_whole;
}

/// Marks the quotas that must claim again, in some parts of the tables in each round. Returns whether it is done.
bool lease_client::continue_claims() noexcept {
  if (claims_.heard_since == limits::boot_time::max()) return true;
  limits::instant const now = options_.clock();
  auto const mark = [&](shared_quota& q) {
    // Ledgers are used on this executor only.
    if (!q.debit_ledger.must_claim_again(claims_.heard_since, now)) return;
    {
      std::lock_guard const lock(q.mutex);
      q.owes_claim = true;
    }
    watch(q);
  };
  bool const is_done = visit_some(claims_.next_part, mark);
  if (is_done) claims_ = {};
  return is_done;
}

/// Visits some parts of the tables from `next` on. Returns whether these were the last ones.
template <class Visit>
bool lease_client::visit_some(std::size_t& next, Visit const& visit) noexcept {
  try {
    for (int parts = 0; parts < parts_a_round; ++parts, ++next)
      if (!quotas_->visit_part(next, visit)) return true;
  } catch (std::bad_alloc const&) {  // the next round tries again
  }
  return false;
}

/// What a watched quota needs. If it needs a call, this sets `is_asking`. If it needs nothing, it is watched no longer.
lease_client::need lease_client::need_of(shared_quota& q, limits::instant now) noexcept {
  std::lock_guard const lock(q.mutex);
  if (q.is_asking) return need::watching;  // the call under way uses the ledger
  bool const is_unsettled = q.debit_ledger.is_unsettled() || q.debit_ledger.has_idle(q.lease, now) || q.spent_alone ||
                            q.owes_pardon || q.owes_claim;
  bool const has_strikes = q.strikes.any();
  if (is_unsettled || (has_strikes && now.boot - q.reported_at >= report_interval)) {
    if (!may_ask(q, now)) return need::watching;
    q.is_asking.store(true);
    return need::call;
  }
  if (has_strikes || q.debit_ledger.needs_watching(q.lease)) return need::watching;
  q.is_watched.store(false);
  // A thread that added something a moment ago may still have seen `is_watched` set.
  bool const has_more = q.strikes.any() || q.debit_ledger.needs_watching(q.lease) || q.owes_pardon;
  return has_more && !q.is_watched.exchange(true) ? need::watching : need::nothing;
}

void lease_client::begin_heartbeats() noexcept {
  sends_heartbeats_ = true;
  try {
    asio::awaitable<void> heartbeats = send_heartbeats(shared_from_this());
    auto ended = [self = shared_from_this()](std::exception_ptr const&) { self->sends_heartbeats_ = false; };
    asio::co_spawn(options_.executor.get(), std::move(heartbeats), std::move(ended));
  } catch (std::exception const&) {  // the next round tries again
    sends_heartbeats_ = false;
  }
}

/// Ends if there is no memory to go on. The next round begins it again.
asio::awaitable<void> lease_client::send_heartbeats(std::shared_ptr<lease_client>) {
  while (!stopped_) {
    std::vector<std::string> arguments{node_, "1"};
    std::vector<std::string> keys = heartbeat_keys(options_.environment);
    auto const deadline = steady::now() + heartbeat_interval;
    limits::instant const asked_at = options_.clock();
    script_answer const answer =
        co_await runner_->run(script_name::heartbeat, std::move(keys), std::move(arguments), deadline);
    bool const is_answered = accept_heartbeat(answer);
    if (is_answered) {
      add<&figures::heartbeats_answered>();
    } else {
      add<&figures::heartbeats_missed>();
      auto const* const failure = std::get_if<script_failure>(&answer);
      bool const concerns_others = !failure || !failure->is_of_one_server;
      if (concerns_others)
        of_keys_.heartbeat_missed(options_.clock(), asked_at);  // addresses notice by their own calls
    }
    if (stopped_) co_return;

    heartbeat_timer_.expires_after(is_answered ? heartbeat_interval : heartbeat_retry);
    co_await heartbeat_timer_.async_wait(as_result);
  }
}

/// Uses the answer of a heartbeat. Returns whether there is one.
bool lease_client::accept_heartbeat(script_answer const& answer) {
  auto const* const said = std::get_if<script_integers>(&answer);
  auto const now = steady::now();
  if (said == nullptr || said->size() != 5 || said->front() <= 0) {
    node_count_.missed();
    if (now - heard_at_ <= missed_after || is_missed_.exchange(true)) return false;
    auto const* const failure = std::get_if<script_failure>(&answer);
    options_.report("quota_redis_does_not_answer", failure ? explain(failure->what) : "not the answer of the script");
    return false;
  }
  auto const heard_of = static_cast<std::uint32_t>(said->front());
  nodes_.store(heard_of, std::memory_order_relaxed);
  old_nodes_.store(static_cast<std::int32_t>(std::max<std::int64_t>(0, (*said)[3])), std::memory_order_relaxed);
  may_find_old_hashes_ = std::chrono::milliseconds{said->back()} < std::max(old_tokens_max, bans_.get().max);
  node_count_.heard(heard_of, now.time_since_epoch());
  sharers_.store(node_count_.sharers(), std::memory_order_relaxed);
  heard_at_ = now;
  // A node that is not ready gets no requests, so the heartbeat has to be the probe.
  for (admission_queue* const queue : {&of_keys_, &of_addresses_}) queue->heartbeat_answered(options_.clock());
  if (is_missed_.exchange(false)) options_.report("quota_redis_answers_again", "Quotas are shared again.");
  detect_loss(*said);
  return true;
}

/// A server that was restarted has lost at most what was written shortly before, so only keys in recent use claim
/// again. A server with other data has lost everything.
void lease_client::detect_loss(script_integers const& heartbeat) {
  ports::shared_quota_figures connections;
  runner_->tell(connections);
  server_facts const now{.run = heartbeat[1], .data_since = heartbeat[2], .connections = connections.connections_made};
  server_facts const before = std::exchange(server_, now);
  if (before == now || before.data_since == 0) return;
  bool const has_lost_all = before.data_since != now.data_since;
  if (has_lost_all)
    options_.report("quota_redis_forgot", "Redis has lost its data; this node tells it again what it has taken.");
  else if (before.run != now.run)
    options_.report("quota_redis_restarted",
                    "Another run of Redis answers; this node tells it again what it has taken lately.");
  auto const since = has_lost_all ? limits::boot_time::min() : options_.clock().boot - debit_ledger::generation_life;
  claims_ = {.heard_since = std::min(claims_.heard_since, since)};
  is_round_cut_short_ = true;
  round_timer_.cancel();  // the next round begins now
}

std::future<void> lease_client::leave() {
  std::promise<void> done;
  std::future<void> is_done = done.get_future();
  auto work = [self = shared_from_this(), promise = std::move(done)]() mutable -> asio::awaitable<void> {
    co_await self->give_back_and_leave(std::move(promise));
  };
  asio::co_spawn(options_.executor.get(), std::move(work), asio::detached);
  return is_done;
}

asio::awaitable<void> lease_client::give_back_and_leave(std::promise<void> done) {
  stop();
  auto const deadline = steady::now() + leave_max();
  begin_deferred_calls();
  // First those of keys: there may be more addresses than the time is enough for.
  for (admission_queue* const queue : {&of_keys_, &of_addresses_}) co_await give_back(*queue, deadline);
  std::vector<std::string> arguments{node_, "0"};
  std::vector<std::string> keys = heartbeat_keys(options_.environment);
  script_answer const answer =
      co_await runner_->run(script_name::heartbeat, std::move(keys), std::move(arguments), deadline);
  done.set_value();
}

/// Gives the tokens of one queue's quotas back, until the deadline.
asio::awaitable<void> lease_client::give_back(admission_queue& queue, steady::time_point deadline) {
  co_await wait_for_calls(queue, deadline, 0);
  auto const begin = [&](shared_quota& q) {
    if (&queue_of(q) != &queue) return;
    {
      std::lock_guard const lock(q.mutex);
      bool const has_something = q.lease.tokens() != 0 || q.is_watched;
      if (!has_something || q.is_asking.exchange(true)) return;
    }
    begin_call(q);
  };
  // The quotas are visited in parts, so that the calls do not fill the queue of the Redis client.
  for (std::size_t part = 0; steady::now() < deadline && visit_part(part, begin); ++part)
    co_await wait_for_calls(queue, deadline, calls_a_round_max);
  co_await wait_for_calls(queue, deadline, 0);
}

/// Visits one part of the tables. False if there is no such part, or no memory for it.
template <class Visit>
bool lease_client::visit_part(std::size_t part, Visit const& visit) noexcept {
  try {
    return quotas_->visit_part(part, visit);
  } catch (std::bad_alloc const&) {
    return false;
  }
}

/// Waits until at most `most` calls of the queue have begun, or until the deadline.
asio::awaitable<void> lease_client::wait_for_calls(admission_queue& queue, steady::time_point deadline,
                                                   std::uint32_t most) {
  asio::steady_timer timer(options_.executor.get());
  while (queue.begun() > most && steady::now() < deadline) {
    timer.expires_after(leave_poll_interval);
    co_await timer.async_wait(as_result);
  }
}

void lease_client::stop() {
  stopped_.store(true);
  asio::post(options_.executor.get(), [self = shared_from_this()] {
    self->round_timer_.cancel();
    self->heartbeat_timer_.cancel();
    self->deferral_timer_.cancel();
  });
}

}  // namespace petstore::quota
