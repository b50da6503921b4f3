// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// What the lease_client does on its own executor: its beginning, what goes on regularly, and its end.
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <random>
#include <utility>

#include "lease_client.hpp"

namespace petstore::quota {
namespace {

using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;

/// How often idle leases, strikes and what was spent alone are looked for.
constexpr auto round_interval = 250ms;
/// How often strikes of one identity are reported.
constexpr std::chrono::nanoseconds report_interval = 1'250ms;
/// How often a node says that it lives; heartbeat.lua forgets it after six of these.
constexpr auto beat_interval = 500ms;
/// At the start there is no connection for a moment.
constexpr auto beat_again = 50ms;
/// Without an answer for so long, it is said.
constexpr auto missed_after = 1s;
/// In one round, for the quotas of a admission_queue, those included that are in line or under way: what is more waits
/// for the next one, and does not fill the client's queue. But so many at least, whatever else there is.
constexpr std::uint32_t calls_a_round_max = 1'000, calls_a_round_min = 100;
/// The next round, after one that left something to it.
constexpr auto round_soon = 25ms;
/// Of the tables of quotas, in one round: some milliseconds.
constexpr int parts_a_round = 256;
/// Under way at one time on behalf of those who have no key, on all nodes together. So many take the server some five
/// milliseconds, which whoever has a key can wait.
constexpr std::uint32_t strangers_calls_max = 256;
/// Who has a key is not held up by whom it shares the server with: the client has a limit of its own.
constexpr std::uint32_t no_bound = ~std::uint32_t{0};
constexpr auto good_bye_max = 1s;
constexpr auto good_bye_look = 2ms;

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
      of_keys_(no_bound, options_.deadline),
      of_addresses_(strangers_calls_max, options_.deadline),
      node_count_(options_.nodes_min),
      heard_at_(steady::now()),
      round_timer_(options_.executor),
      beat_timer_(options_.executor),
      gather_timer_(options_.executor) {
  sharers_ = node_count_.sharers();
}

std::shared_ptr<lease_client> lease_client::open(redis_options options, std::unique_ptr<script_runner> runner,
                                                 std::shared_ptr<quota_tables> tables) {
  std::shared_ptr<lease_client> made(new lease_client(std::move(options), std::move(runner), std::move(tables)));
  asio::post(made->options_.executor, [made] {
    auto hear = [held = made->weak_from_this()](std::string_view payload) {
      if (auto const self = held.lock()) self->hear_recall(payload);
    };
    made->runner_->listen(made->channel_, std::move(hear));
    made->begin_beating();
    made->plan_round();
  });
  return made;
}

void lease_client::attend(shared_quota& q) noexcept {
  if (q.is_attended.load() || q.is_attended.exchange(true)) return;
  q.pins.fetch_add(1, std::memory_order_relaxed);
  queue_of(q).attend(q);
}

/// In memory of its own: tokens go back and strikes are told also after a time without any.
void lease_client::plan_round() {
  round_timer_.expires_after(is_round_cut_short_ ? round_soon : round_interval);
  auto next = [self = shared_from_this()](boost::system::error_code const&) {
    if (self->stopped_) return;
    self->plan_round();
    self->go_round();
  };
  round_timer_.async_wait(asio::bind_allocator(reserved_allocator<void>(round_memory_), std::move(next)));
}

void lease_client::go_round() {
  if (!is_beating_) begin_beating();
  limits::instant const now = options_.clock();
  operators_bans_.follow_wall_clock(now);
  bool is_whole = claim_on();
  for (admission_queue* const l : {&of_keys_, &of_addresses_}) is_whole = look_after_all(*l, now) && is_whole;
  is_round_cut_short_ = !is_whole;
  count_on();
}

/// Some of the tables in each round.
void lease_client::count_on() noexcept {
  limits::instant const now = options_.clock();
  auto const add_holdings = [&](shared_quota& q) {
    if (q.lease.lies_idle(now)) return;
    auto const tokens = q.lease.tokens();
    holdings_.leases += tokens != 0;
    holdings_.tokens += tokens;
  };
  try {
    for (int parts = 0; parts < parts_a_round; ++parts, ++holdings_.next_part) {
      if (quotas_->visit_part(holdings_.next_part, add_holdings)) continue;
      leases_.store(holdings_.leases, std::memory_order_relaxed);
      tokens_held_.store(holdings_.tokens, std::memory_order_relaxed);
      holdings_ = {};
      return;
    }
  } catch (std::bad_alloc const&) {  // the next round tries again
  }
}

/// Whether it came to the last of them.
bool lease_client::look_after_all(admission_queue& l, limits::instant now) noexcept {
  std::uint32_t const begun = l.begun();
  admission_queue::row all = l.take_attended();
  admission_queue::row seen;
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
  l.attend_first(std::move(all));
  return is_whole;
}

/// Marks the quotas of which something has to be claimed once more, some in each round. Whether all of them are.
bool lease_client::claim_on() noexcept {
  if (claims_.heard_since == limits::boot_time::max()) return true;
  limits::instant const now = options_.clock();
  auto const mark = [&](shared_quota& q) {
    // Books are open on this thread alone.
    if (!q.debit_ledger.must_claim_again(claims_.heard_since, now)) return;
    {
      std::lock_guard const lock(q.mutex);
      q.owes_claim = true;
    }
    attend(q);
  };
  try {
    for (int parts = 0; parts < parts_a_round; ++parts, ++claims_.next_part) {
      if (quotas_->visit_part(claims_.next_part, mark)) continue;
      claims_ = {};
      return true;
    }
  } catch (std::bad_alloc const&) {  // the next round tries again
  }
  return false;
}

/// Whoever needs a call has `is_asking` set by this. Whoever needs nothing is looked after no longer.
lease_client::need lease_client::need_of(shared_quota& q, limits::instant now) noexcept {
  std::lock_guard const lock(q.mutex);
  if (q.is_asking) return need::attention;  // whose debit_ledger are open
  bool const is_unsettled = q.debit_ledger.is_unsettled() || q.debit_ledger.has_idle(q.lease, now) || q.spent_alone ||
                            q.owes_pardon || q.owes_claim;
  bool const has_strikes = q.strikes.any();
  if (is_unsettled || (has_strikes && now.boot - q.reported_at >= report_interval)) {
    if (!may_ask(q, now)) return need::attention;
    q.is_asking.store(true);
    return need::call;
  }
  if (has_strikes || q.debit_ledger.needs_attention(q.lease)) return need::attention;
  q.is_attended.store(false);
  // Whoever added something to look after a moment ago may have seen that this was being done.
  bool const has_more = q.strikes.any() || q.debit_ledger.needs_attention(q.lease) || q.owes_pardon;
  return has_more && !q.is_attended.exchange(true) ? need::attention : need::nothing;
}

void lease_client::begin_beating() noexcept {
  is_beating_ = true;
  try {
    asio::awaitable<void> beats = beat(shared_from_this());
    auto ended = [self = shared_from_this()](std::exception_ptr const&) { self->is_beating_ = false; };
    asio::co_spawn(options_.executor, std::move(beats), std::move(ended));
  } catch (std::exception const&) {  // the next round tries again
    is_beating_ = false;
  }
}

/// Ends when there is no memory to go on, or to begin, and is begun again by the next round.
asio::awaitable<void> lease_client::beat(std::shared_ptr<lease_client>) {
  while (!stopped_) {
    std::vector<std::string> arguments{node_, "1"};
    std::vector<std::string> keys = heartbeat_keys(options_.environment);
    auto const deadline = steady::now() + beat_interval;
    limits::instant const asked_at = options_.clock();
    add(count::heartbeats);
    script_answer const answer =
        co_await runner_->run(script_name::heartbeat, std::move(keys), std::move(arguments), deadline);
    bool const is_answered = take_beat(answer);
    if (!is_answered) {
      add(count::heartbeats_missed);
      of_keys_.missed_server(options_.clock(), asked_at);  // addresses find out by themselves
    }
    if (stopped_) co_return;

    beat_timer_.expires_after(is_answered ? beat_interval : beat_again);
    boost::system::error_code cancelled;
    co_await beat_timer_.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
  }
}

/// Whether it is an answer.
bool lease_client::take_beat(script_answer const& answer) {
  auto const* const said = std::get_if<script_integers>(&answer);
  auto const now = steady::now();
  if (said == nullptr || said->size() != 4 || said->front() <= 0) {
    node_count_.missed();
    if (now - heard_at_ <= missed_after || is_missed_.exchange(true)) return false;
    auto const* const failure = std::get_if<script_failure>(&answer);
    report("quota_redis_does_not_answer", failure ? failure->what : "not the answer of the script");
    return false;
  }
  auto const heard_of = static_cast<std::uint32_t>(said->front());
  nodes_.store(heard_of, std::memory_order_relaxed);
  old_nodes_.store(static_cast<std::int32_t>(std::max<std::int64_t>(0, said->back())), std::memory_order_relaxed);
  node_count_.heard(heard_of, now.time_since_epoch());
  sharers_.store(node_count_.sharers(), std::memory_order_relaxed);
  heard_at_ = now;
  // A node that is not ready gets no requests that could be probes.
  for (admission_queue* const l : {&of_keys_, &of_addresses_}) l->heard_of_server(options_.clock());
  if (is_missed_.exchange(false)) report("quota_redis_answers_again", "Quotas are shared again.");
  look_for_loss(*said);
  return true;
}

/// What another run of the server has lost was written a moment before it began: of keys that are in use. With its data
/// the server has lost everything.
void lease_client::look_for_loss(script_integers const& beat) {
  ports::shared_quota_figures connections;
  runner_->tell(connections);
  server_facts const now{.run = beat[1], .data_since = beat[2], .connections = connections.connections_made};
  server_facts const before = std::exchange(server_, now);
  if (before == now || before.data_since == 0) return;
  bool const has_lost_all = before.data_since != now.data_since;
  if (has_lost_all)
    report("quota_redis_forgot", "Redis has lost its data; this node tells it again what it has taken.");
  else if (before.run != now.run)
    report("quota_redis_restarted", "Another run of Redis answers; this node tells it again what it has taken lately.");
  auto const since = has_lost_all ? limits::boot_time::min() : options_.clock().boot - debit_ledger::generation_life;
  claims_ = {.heard_since = std::min(claims_.heard_since, since)};
  is_round_cut_short_ = true;
  round_timer_.cancel();  // there is one now
}

std::future<void> lease_client::leave() {
  std::promise<void> done;
  std::future<void> is_done = done.get_future();
  auto work = [self = shared_from_this(), promise = std::move(done)]() mutable -> asio::awaitable<void> {
    co_await self->say_good_bye(std::move(promise));
  };
  asio::co_spawn(options_.executor, std::move(work), asio::detached);
  return is_done;
}

asio::awaitable<void> lease_client::say_good_bye(std::promise<void> done) {
  stop();
  auto const deadline = steady::now() + good_bye_max;
  asio::steady_timer timer(options_.executor);
  begin_gathered();
  co_await wait_for_calls(timer, deadline, 0);
  auto const give_back = [this](shared_quota& q) {
    {
      std::lock_guard const lock(q.mutex);
      bool const has_something = q.lease.tokens() != 0 || q.is_attended;
      if (!has_something || q.is_asking.exchange(true)) return;
    }
    begin_call(q);
  };
  // In parts, so that they do not fill the queue of the client.
  for (std::size_t part = 0; steady::now() < deadline && visit_part(part, give_back); ++part)
    co_await wait_for_calls(timer, deadline, calls_a_round_max);
  co_await wait_for_calls(timer, deadline, 0);
  std::vector<std::string> arguments{node_, "0"};
  std::vector<std::string> keys = heartbeat_keys(options_.environment);
  script_answer const answer =
      co_await runner_->run(script_name::heartbeat, std::move(keys), std::move(arguments), deadline);
  done.set_value();
}

/// False after the last part, or without memory for it.
template <class Visit>
bool lease_client::visit_part(std::size_t part, Visit const& visit) noexcept {
  try {
    return quotas_->visit_part(part, visit);
  } catch (std::bad_alloc const&) {
    return false;
  }
}

/// Until so few are under way.
asio::awaitable<void> lease_client::wait_for_calls(asio::steady_timer& timer, steady::time_point deadline,
                                                   std::uint32_t most) {
  boost::system::error_code ignored;
  while (under_way_ > most && steady::now() < deadline) {
    timer.expires_after(good_bye_look);
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  }
}

void lease_client::stop() {
  stopped_.store(true);
  asio::post(options_.executor, [self = shared_from_this()] {
    self->round_timer_.cancel();
    self->beat_timer_.cancel();
    self->gather_timer_.cancel();
  });
}

}  // namespace petstore::quota
