// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// The calls of lease_client, on its own executor.
#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <new>
#include <utility>

#include "lease_client.hpp"
#include "petstore/asio/as_result.hpp"

namespace petstore::quota {
namespace {

using namespace std::chrono_literals;

/// The pause before a call that has certainly not run is repeated.
constexpr auto retry_pause = 2ms;
/// How long a call waits for its answer at least, even if no request waits any more, so that its grant is not lost.
constexpr auto patience = 500ms;
/// How long requests wait for recalled tokens at most. A node that has not answered by then is silent.
constexpr std::chrono::nanoseconds recall_patience = 200ms;
/// The pause between a recall and the next call: the first one and the longest one.
constexpr auto recall_pause_min = 2ms, recall_pause_max = 32ms;
/// The pause between two log lines about the same error that Redis answers.
constexpr auto error_pause = 10s;
/// How long a deferred call waits for others at most, so that they share a round trip.
constexpr auto deferral_time = 20ms;

}  // namespace

/// A call that has begun. Its destructor abandons a call that has not ended, for example because its coroutine had no
/// memory to go on. Otherwise `is_asking` would stay set for ever.
class lease_client::open_call {
 public:
  open_call(std::shared_ptr<lease_client> made_by, shared_quota& q) noexcept
      : client_(std::move(made_by)), quota_(&q) {}
  open_call(open_call&&) noexcept = default;
  open_call& operator=(open_call&&) = delete;
  ~open_call() {
    if (client_) client_->abandon_call(*quota_);
  }

  shared_quota& quota() const noexcept { return *quota_; }
  void end(outcome how) {
    auto const by = std::exchange(client_, nullptr);
    by->end_call(*quota_, how);
  }

 private:
  std::shared_ptr<lease_client> client_;  // shared with all other work under way
  shared_quota* quota_;
};

/// The caller has set `is_asking` and does not hold the quota's mutex.
void lease_client::begin_call(shared_quota& q) noexcept {
  q.pins.fetch_add(1, std::memory_order_relaxed);
  queue_of(q).enqueue(q);
  begin_queued_calls(queue_of(q));
}

/// The same for a call that no request waits for yet.
void lease_client::begin_deferred_call(shared_quota& q) noexcept {
  q.pins.fetch_add(1, std::memory_order_relaxed);
  queue_of(q).enqueue_deferred(q);
  if (is_deferring_.exchange(true)) return;
  try {
    asio::post(options_.executor.get(), [self = shared_from_this()] {
      self->deferral_timer_.expires_after(deferral_time);
      self->deferral_timer_.async_wait([self](boost::system::error_code const&) { self->begin_deferred_calls(); });
    });
  } catch (std::exception const&) {  // no memory for a timer
    begin_deferred_calls();
  }
}

void lease_client::begin_deferred_calls() noexcept {
  is_deferring_.store(false);
  for (admission_queue* const queue : {&of_keys_, &of_addresses_}) {
    queue->release_deferred();
    begin_queued_calls(*queue);
  }
}

/// If there is no memory for a call, it is abandoned, and its requests wait until their deadline.
void lease_client::begin_queued_calls(admission_queue& queue) noexcept {
  while (shared_quota* const next = queue.begin_next(nodes_.load(std::memory_order_relaxed))) {
    try {
      asio::post(options_.executor.get(), [this, open = open_call(shared_from_this(), *next)]() mutable {
        try {
          asio::awaitable<void> work = call(std::move(open));
          asio::co_spawn(options_.executor.get(), std::move(work), asio::detached);
        } catch (std::exception const&) {  // the call is abandoned
        }
      });
    } catch (std::exception const&) {  // the call is abandoned
    }
  }
}

void lease_client::ask_ahead(shared_quota& q, ports::payer const& who) {
  if (options_.mode == quota_mode::strict) return;
  {
    std::lock_guard const lock(q.mutex);
    if (q.is_asking || !may_ask(q, options_.clock())) return;
    q.is_asking.store(true);
    q.plan = who.plan;
    q.wants_tokens = true;
  }
  begin_deferred_call(q);
}

debit_ledger::question lease_client::question_for(shared_quota& q, limits::instant now) {
  bool const is_cut_off = queue_of(q).is_cut_off();
  std::lock_guard const lock(q.mutex);
  q.spent_alone = false;
  q.owes_claim = false;
  bool const is_recalled = std::exchange(q.is_recalled, false);
  std::uint64_t waiting = 0;
  std::uint32_t cheapest = limits::short_tokens_max, dearest = 1;
  auto leaves_at = std::chrono::steady_clock::time_point::max();
  bool looks = false;
  for (auto const& request : q.waiting) {
    leaves_at = std::min(leaves_at, request->timer.expiry());
    looks = looks || !request->cost;
    if (!request->cost) continue;
    if (waiting == 0) q.plan = request->plan;
    waiting += request->cost->tokens();
    cheapest = std::min(cheapest, request->cost->tokens());
    dearest = std::max(dearest, request->cost->tokens());
  }
  // A request with little time left does not wait for recalled tokens: it gets the known state instead of a timeout.
  bool const has_time = !q.waiting.empty() && leaves_at - std::chrono::steady_clock::now() > options_.deadline / 4;
  bool const wants_tokens = std::exchange(q.wants_tokens, false) || waiting != 0;
  bool const gives_back = is_recalled || stopped_ || (!wants_tokens && q.debit_ledger.has_idle(q.lease, now));
  std::int32_t const old_nodes = old_nodes_.load(std::memory_order_relaxed);
  debit_ledger::question question{
      .plan = q.plan,
      .nodes = nodes_.load(std::memory_order_relaxed),
      .waiting = static_cast<std::uint32_t>(std::min<std::uint64_t>(waiting, limits::short_tokens_max)),
      .cheapest = waiting == 0 ? 1 : cheapest,
      .dearest = dearest,
      .strict = options_.mode == quota_mode::strict,
      .wants_tokens = wants_tokens,
      .gives_back = gives_back && !is_cut_off,
      .never_banned = q.never_banned || q.of == shared_quota::owner::addresses,
      .has_old_nodes = old_nodes != 0,
      .short_leases = old_nodes > 0,
      .looks = looks,
      .patience = has_time ? recall_patience : std::chrono::nanoseconds{0},
      .strikes = q.strikes.take(),
      .pardoned = q.pardoned.load(),
      .spent_alone = q.share.take_spent()};
  if (question.strikes != 0) q.reported_at = now.boot;
  return question;
}

/// The key of version 1 is needed only as long as its hash may count. Without it, a call has one key, which a cluster
/// serves while it moves the slot.
std::vector<std::string> lease_client::keys_of(shared_quota const& q, acquisition const& asked) const {
  std::vector<std::string> keys{q.key};
  if (asked.has_old_nodes || may_find_old_hashes_) keys.push_back(q.key.substr(0, q.key.size() - 1));
  return keys;
}

/// Repeats a call for tokens that has certainly not run, until the deadline: at the start, and while a connection is
/// replaced, there is none for a few milliseconds.
asio::awaitable<script_answer> lease_client::send(std::vector<std::string> keys, std::vector<std::string> arguments,
                                                  bool wants_tokens) {
  using clock = std::chrono::steady_clock;
  auto const tries_until = clock::now() + options_.deadline;
  auto const deadline = std::max(tries_until, clock::now() + patience);
  asio::steady_timer pause(options_.executor.get());
  for (;;) {
    add<&figures::calls>();
    if (!wants_tokens) add<&figures::settlements>();
    auto const begun = clock::now();
    std::vector<std::string> keys_now = keys;
    std::vector<std::string> arguments_now = arguments;
    script_answer answer =
        co_await runner_->run(script_name::acquire, std::move(keys_now), std::move(arguments_now), deadline);
    auto const* const failure = std::get_if<script_failure>(&answer);
    if (!failure) call_times_.note(clock::now() - begun);
    if (failure && failure->is_error) report_error(keys.front(), failure->what);
    bool const may_run_yet = failure && failure->outcome == script_outcome::not_run && wants_tokens && !stopped_;
    if (!may_run_yet || clock::now() + retry_pause >= tries_until) co_return answer;
    pause.expires_after(retry_pause);
    co_await pause.async_wait(as_result);
  }
}

asio::awaitable<void> lease_client::call(open_call open) {
  shared_quota& q = open.quota();
  if (is_needless(q)) {
    open.end(outcome::needless);
    co_return;
  }
  bool is_answered = false, is_recalling = false, is_error = false, is_of_this_key = false, is_of_one_server = false;
  limits::instant const sent = options_.clock();
  try {
    auto const asked = q.debit_ledger.ask(q.lease, question_for(q, sent), sequence_.fetch_add(1) + 1, sent);

    auto arguments = script_arguments(number_, asked, bans_.get(), channel_);
    auto keys = keys_of(q, asked);
    script_answer const answer = co_await send(std::move(keys), std::move(arguments), asked.want != 0);

    auto const* const failure = std::get_if<script_failure>(&answer);
    auto const told = failure ? std::nullopt : parse_acquired(std::get<script_integers>(answer));
    if (told) {
      is_answered = true;
      is_recalling = accept_answer(q, asked, *told, sent, options_.clock());
    } else {
      bool const has_not_run = failure && failure->outcome == script_outcome::not_run;
      // A script that the server refused to run may run a moment later. A script that ended with an error would end so
      // again.
      is_error = failure && failure->is_error && !has_not_run;
      is_of_this_key = is_error && is_of_one_key(failure->what);
      is_of_one_server = has_not_run && failure->is_of_one_server;
      settle_failure(q, asked, has_not_run);
    }
  } catch (std::exception const&) {  // no memory: treated like a lost answer
    q.debit_ledger.lost();
  }
  // The value of one key is an answer of the server. One dead master of a cluster says nothing about the others.
  if (is_answered || is_of_this_key)
    queue_of(q).answered(options_.clock());
  else if (!is_of_one_server)
    queue_of(q).failed(options_.clock(), sent);
  if (!is_answered) {
    // Some calls fail at once, and the requests that wait ask again.
    asio::steady_timer pause(options_.executor.get(), retry_pause);
    co_await pause.async_wait(as_result);
  }
  outcome ended = is_answered ? outcome::answered : is_error ? outcome::refused : outcome::failed;
  if (is_recalling) ended = co_await wait_for_recalled(q);
  if (ended != outcome::recalling) q.recall_pause = {};
  if (q.debit_ledger.needs_watching(q.lease)) watch(q);
  open.end(ended);
}

/// Returns whether the requests that get no token wait for recalled ones.
bool lease_client::accept_answer(shared_quota& q, acquisition const& asked, acquired const& told, limits::instant sent,
                                 limits::instant received) {
  bool const is_strict = options_.mode == quota_mode::strict;
  add<&figures::grants>(told.granted);
  add<&figures::strikes_reported>(asked.strikes);
  add<&figures::returns>(q.debit_ledger.given_up());
  add<&figures::returns>(q.debit_ledger.answered(q.lease, asked, told, is_strict, sent, received));
  q.told_at.store(sent.boot.time_since_epoch().count(), std::memory_order_relaxed);
  bool const knows_pardon = asked.pardoned == q.pardoned.load();
  if (knows_pardon) q.owes_pardon.store(false);
  apply_penalty(q, told, knows_pardon, received);
  return told.holders == holders::recalled;
}

void lease_client::settle_failure(shared_quota& q, acquisition const& asked, bool has_not_run) {
  if (!has_not_run) {
    add<&figures::timeouts>();
    q.debit_ledger.lost();
    return;
  }
  add<&figures::failures>();
  if (asked.strikes != 0) q.strikes.put_back(asked.strikes);
  q.debit_ledger.not_run(q.lease, asked);
}

/// Hands out the granted tokens. If requests still wait, the next call for them begins a moment later.
asio::awaitable<lease_client::outcome> lease_client::wait_for_recalled(shared_quota& q) {
  {
    std::lock_guard const lock(q.mutex);
    hand_out(q, outcome::recalling, options_.clock());
    if (q.waiting.empty()) co_return outcome::answered;
  }
  q.recall_pause = std::clamp<std::chrono::milliseconds>(2 * q.recall_pause, recall_pause_min, recall_pause_max);
  asio::steady_timer pause(options_.executor.get(), q.recall_pause);
  co_await pause.async_wait(as_result);
  co_return outcome::recalling;
}

/// Another node needs tokens that the server believes this node to hold, or has given tokens back while nodes keep
/// refusals, or a ban has begun. Runs on the executor.
void lease_client::accept_recall(std::string_view payload) {
  auto const told = parse_recall(payload);
  if (!told || told->asker == number_ || stopped_) return;
  quotas_->visit(told->key, [this](shared_quota& q) {
    {
      std::lock_guard const lock(q.mutex);
      q.is_recalled = true;
      if (q.is_asking) return;  // the end of that call checks `is_recalled`
      if (!owes_answer(q) || !may_ask(q, options_.clock())) {
        q.is_recalled = false;
        return;
      }
      q.is_asking.store(true);
    }
    begin_call(q);
  });
}

/// Whether a recall needs a call as its answer. Only where the ledger may be used.
bool lease_client::owes_answer(shared_quota const& q) const noexcept {
  return q.is_recalled && (q.debit_ledger.may_hold(q.lease) || q.debit_ledger.keeps_refusal(options_.clock()));
}

/// Whether a call is no longer needed: its requests may have reached their deadline while it was queued.
bool lease_client::is_needless(shared_quota& q) {
  bool const has_tokens_to_return =
      stopped_ ? q.lease.tokens() != 0 : q.debit_ledger.has_idle(q.lease, options_.clock());
  std::lock_guard const lock(q.mutex);
  if (owes_answer(q)) return false;
  bool const is_wanted = !q.waiting.empty() || q.wants_tokens;
  bool const has_something_to_tell =
      q.debit_ledger.is_unsettled() || q.spent_alone || q.owes_pardon || q.owes_claim || q.strikes.any();
  return !is_wanted && !has_something_to_tell && !has_tokens_to_return;
}

/// `knows_pardon`: whether the server had the operators' last pardon. Its time is not compared with that of the ban,
/// which is by the server's clock.
void lease_client::apply_penalty(shared_quota& q, acquired const& told, bool knows_pardon, limits::instant received) {
  auto const on_boot = [&](std::int64_t us) { return received.boot + std::chrono::microseconds{us - told.now}; };
  q.strikes.announced(on_boot(told.announced_at) + bans_.get().grace, on_boot(told.announced_until));
  bool const is_news = q.ban_begun.exchange(told.ban_begun) < told.ban_begun;
  if (told.ban_until <= told.now || !knows_pardon) return;
  if (is_news) add<&figures::bans_begun>();
  limits::instant const by_server{.boot = received.boot,
                                  .wall = limits::wall_time{std::chrono::microseconds{told.now}}};
  q.account.impose_ban(limits::wall_time{std::chrono::microseconds{told.ban_until}}, by_server);
  if (is_news) q.unreported_ban_until.store(on_boot(told.ban_until).time_since_epoch().count());
}

void lease_client::end_call(shared_quota& q, outcome how) {
  bool asks_again = false;
  {
    std::lock_guard const lock(q.mutex);
    bool const is_answered = how == outcome::answered || how == outcome::recalling;
    if (is_answered) q.share.end();
    if (how == outcome::refused) give_up_waiting(q);
    if (how == outcome::answered || how == outcome::failed) hand_out(q, how, options_.clock());
    // The next call is for requests that came during this one, or got no token.
    asks_again = !q.waiting.empty() || (is_answered && owes_answer(q));
    if (!asks_again) {
      q.is_recalled = false;
      q.is_asking.store(false);
    }
  }
  if (asks_again) begin_call(q);
  admission_queue& queue = queue_of(q);
  release(q);
  begin_queued_calls(queue);
}

void lease_client::abandon_call(shared_quota& q) noexcept {
  q.debit_ledger.lost();
  {
    std::lock_guard const lock(q.mutex);
    q.is_asking.store(false);
  }
  watch(q);  // the next call settles what this one may have done
  release(q);
}

void lease_client::release(shared_quota& q) noexcept {
  queue_of(q).end_call();
  q.pins.fetch_sub(1, std::memory_order_release);
}

/// Decides the waiting requests in the order of their arrival, under the quota's mutex. So each is woken once, and a
/// later request does not take a token that was granted for an earlier one.
void lease_client::hand_out(shared_quota& q, outcome how, limits::instant now) {
  bool const is_answered = how != outcome::failed;
  bool const is_banned = q.account.banned(now);
  // After a failed call, requests wait for the next one while the breaker allows it: the failed call may have begun
  // before they came.
  bool const gives_up = !is_answered && !q.waiting.empty() && !may_ask(q, now);
  std::erase_if(q.waiting, [&](std::shared_ptr<waiting_request> const& request) {
    if (!is_answered) {
      if (gives_up) request->outcome = request_outcome::unanswered;
    } else if (is_banned && !request->never_banned) {
      request->outcome = request_outcome::banned;
    } else if (!request->cost) {
      if (how != outcome::recalling) request->outcome = request_outcome::decided;
    } else {
      request->decision = q.lease.charge_after_asking(request->plan, *request->cost, now);
      if (request->decision.outcome != limits::lease::outcome::must_ask) request->outcome = request_outcome::decided;
    }
    if (request->outcome == request_outcome::waits) return false;
    wake(request);
    return true;
  });
}

/// Lets the failure policy decide all waiting requests now. Under the quota's mutex.
void lease_client::give_up_waiting(shared_quota& q) {
  for (auto const& request : q.waiting) {
    request->outcome = request_outcome::unanswered;
    wake(request);
  }
  q.waiting.clear();
}

void lease_client::wake(std::shared_ptr<waiting_request> const& request) {
  try {
    asio::post(request->timer.get_executor(), [request] { request->timer.cancel(); });
  } catch (std::bad_alloc const&) {  // its timer wakes it later
  }
}

/// Limits the log lines about an error, since every request may meet the same one.
void lease_client::report_error(std::string const& key, std::string const& what) {
  auto const now = options_.clock().boot;
  auto& tells_from = tells_errors_from_[find_fault(what)];
  if (now < tells_from) return;
  tells_from = now + error_pause;
  options_.report("quota_redis_error", (is_of_one_key(what) ? key + ": " : std::string{}) + explain(what));
}

}  // namespace petstore::quota
