// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
// What the lease_client does on its own executor: calls.
#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <new>
#include <utility>

#include "lease_client.hpp"

namespace petstore::quota {
namespace {

using namespace std::chrono_literals;

/// Before what has surely not run is tried again.
constexpr auto retry_pause = 2ms;
/// How long an answer is listened for, also when nobody waits for it any more: what it grants is used, and is no loss.
constexpr auto patience = 500ms;
/// How long requests wait for recalled tokens, at most; a node that does not answer by then is silent.
constexpr std::chrono::nanoseconds recall_patience = 200ms;
/// Between a recall and the next question, at first and at most.
constexpr auto recall_pause_min = 2ms, recall_pause_max = 32ms;
/// Between two lines of the log about errors that Redis answers.
constexpr auto error_pause = 10s;
/// Calls that have time wait so long for others to share a round trip with.
constexpr auto gather_time = 20ms;

}  // namespace

/// A call that has its turn. It ends, whatever becomes of the coroutine that makes it: one that was given up, as there
/// was no memory to go on, must not leave a quota that asks for ever.
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
  std::shared_ptr<lease_client> client_;  // shared with whatever else is under way
  shared_quota* quota_;
};

/// By whoever has set `is_asking`, and not under the quota's mutex.
void lease_client::begin_call(shared_quota& q) noexcept {
  q.pins.fetch_add(1, std::memory_order_relaxed);
  under_way_.fetch_add(1);
  queue_of(q).line_up(q);
  begin_those_in_line(queue_of(q));
}

/// The same where nobody waits for the answer yet.
void lease_client::begin_call_soon(shared_quota& q) noexcept {
  q.pins.fetch_add(1, std::memory_order_relaxed);
  under_way_.fetch_add(1);
  queue_of(q).line_up_later(q);
  if (is_gathering_.exchange(true)) return;
  try {
    asio::post(options_.executor, [self = shared_from_this()] {
      self->gather_timer_.expires_after(gather_time);
      self->gather_timer_.async_wait([self](boost::system::error_code const&) { self->begin_gathered(); });
    });
  } catch (std::exception const&) {  // no memory for a timer
    begin_gathered();
  }
}

void lease_client::begin_gathered() noexcept {
  is_gathering_.store(false);
  for (admission_queue* const l : {&of_keys_, &of_addresses_}) {
    l->hurry();
    begin_those_in_line(*l);
  }
}

/// Without memory for a call it is not made, and who waits for it does so until its time is up.
void lease_client::begin_those_in_line(admission_queue& l) noexcept {
  while (shared_quota* const next = l.next_in_line(nodes_.load(std::memory_order_relaxed))) {
    try {
      asio::post(options_.executor, [this, open = open_call(shared_from_this(), *next)]() mutable {
        try {
          asio::awaitable<void> work = call(std::move(open));
          asio::co_spawn(options_.executor, std::move(work), asio::detached);
        } catch (std::exception const&) {  // it is abandoned
        }
      });
    } catch (std::exception const&) {  // likewise
    }
  }
}

void lease_client::ask_ahead(shared_quota& q, ports::payer const& who) {
  if (options_.mode == quota_mode::strict || !may_ask(q, options_.clock())) return;
  {
    std::lock_guard const lock(q.mutex);
    if (q.is_asking.exchange(true)) return;
    q.plan = who.plan;
    q.wants_tokens = true;
  }
  begin_call_soon(q);
}

debit_ledger::question lease_client::question_for(shared_quota& q, limits::instant now) {
  bool const is_cut_off = queue_of(q).is_cut_off();
  std::lock_guard const lock(q.mutex);
  q.spent_alone = false;
  q.owes_claim = false;
  bool const is_recalled = std::exchange(q.is_recalled, false);
  std::uint32_t waiting = 0;
  auto leaves_at = std::chrono::steady_clock::time_point::max();
  bool looks = false;
  for (auto const& request : q.waiting) {
    if (request->wants_token && waiting++ == 0) q.plan = request->plan;
    looks = looks || !request->wants_token;
    leaves_at = std::min(leaves_at, request->timer.expiry());
  }
  // Who has little time left is told what is known, and not that there was no answer.
  bool const has_time = !q.waiting.empty() && leaves_at - std::chrono::steady_clock::now() > options_.deadline / 4;
  bool const wants_tokens = std::exchange(q.wants_tokens, false) || waiting != 0;
  bool const gives_back = is_recalled || stopped_ || (!wants_tokens && q.debit_ledger.has_idle(q.lease, now));
  std::int32_t const old_nodes = old_nodes_.load(std::memory_order_relaxed);
  debit_ledger::question question{.plan = q.plan,
                                  .nodes = nodes_.load(std::memory_order_relaxed),
                                  .waiting = waiting,
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

/// What has surely not run is tried again while somebody may wait for it: at the start, and when a connection is
/// replaced, there is none for a few milliseconds.
asio::awaitable<script_answer> lease_client::send(std::string key, std::vector<std::string> arguments,
                                                  bool wants_tokens) {
  using clock = std::chrono::steady_clock;
  auto const tries_until = clock::now() + options_.deadline;
  auto const deadline = std::max(tries_until, clock::now() + patience);
  asio::steady_timer pause(options_.executor);
  for (;;) {
    add(count::calls);
    if (!wants_tokens) add(count::settlements);
    auto const begun = clock::now();
    std::vector<std::string> key_now{key, key.substr(0, key.size() - 1)};
    std::vector<std::string> arguments_now = arguments;
    script_answer answer =
        co_await runner_->run(script_name::acquire, std::move(key_now), std::move(arguments_now), deadline);
    auto const* const failure = std::get_if<script_failure>(&answer);
    if (!failure) call_times_.note(clock::now() - begun);
    bool const may_run_yet = failure && failure->fate == script_fate::not_run && wants_tokens && !stopped_;
    if (!may_run_yet || clock::now() + retry_pause >= tries_until) co_return answer;
    pause.expires_after(retry_pause);
    boost::system::error_code ignored;
    co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
  }
}

asio::awaitable<void> lease_client::call(open_call open) {
  shared_quota& q = open.quota();
  if (is_needless(q)) {
    open.end(outcome::needless);
    co_return;
  }
  bool is_answered = false, is_recalling = false, is_error = false;
  debit_ledger::question question;
  acquisition asked;
  limits::instant const sent = options_.clock();
  try {
    question = question_for(q, sent);
    asked = q.debit_ledger.ask(q.lease, question, sequence_.fetch_add(1) + 1, sent);

    auto arguments = script_arguments(number_, asked, bans_.get(), channel_);
    std::string key = q.key;
    script_answer const answer = co_await send(std::move(key), std::move(arguments), asked.want != 0);

    limits::instant const received = options_.clock();
    auto const* const failure = std::get_if<script_failure>(&answer);
    auto const told = failure ? std::nullopt : parse_acquired(std::get<script_integers>(answer));
    if (told) {
      is_answered = true;
      add(count::grants, told->granted);
      add(count::strikes, asked.strikes);
      add(count::returns, q.debit_ledger.given_up());
      add(count::returns, q.debit_ledger.answered(q.lease, asked, *told, question.strict, sent, received));
      is_recalling = told->holders == holders::recalled;
      q.told_at.store(sent.boot.time_since_epoch().count(), std::memory_order_relaxed);
      if (asked.pardoned == q.pardoned.load()) q.owes_pardon.store(false);
      take_penalty(q, *told, received);
    } else {
      bool const has_not_run = failure && failure->fate == script_fate::not_run;
      if (failure && failure->is_error) report_error(failure->what);
      // What the server refuses to run it may run in a moment; what ended in an error would do so again.
      is_error = failure && failure->is_error && !has_not_run;
      add(has_not_run ? count::failures : count::timeouts);
      if (has_not_run && asked.strikes != 0) q.strikes.put_back(asked.strikes);
      if (has_not_run)
        q.debit_ledger.not_run(q.lease, asked);
      else
        q.debit_ledger.lost();
    }
  } catch (std::exception const&) {  // no memory: as if the answer had been lost
    q.debit_ledger.lost();
  }
  if (is_answered) {
    queue_of(q).answered(options_.clock());
  } else {
    queue_of(q).failed(options_.clock(), sent);
    // Some failures take no time, and those who wait ask again.
    asio::steady_timer pause(options_.executor, retry_pause);
    boost::system::error_code cancelled;
    co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
  }
  outcome ended = is_answered ? outcome::answered : is_error ? outcome::refused : outcome::failed;
  if (is_recalling) ended = co_await wait_for_recalled(q);
  if (ended != outcome::recalling) q.recall_pause = {};
  if (q.debit_ledger.needs_attention(q.lease)) attend(q);
  open.end(ended);
}

/// Hands out what was granted; who got nothing asks again a moment later.
asio::awaitable<lease_client::outcome> lease_client::wait_for_recalled(shared_quota& q) {
  {
    std::lock_guard const lock(q.mutex);
    hand_out(q, true, true, options_.clock());
    if (q.waiting.empty()) co_return outcome::answered;
  }
  q.recall_pause = std::clamp<std::chrono::milliseconds>(2 * q.recall_pause, recall_pause_min, recall_pause_max);
  asio::steady_timer pause(options_.executor, q.recall_pause);
  boost::system::error_code cancelled;
  co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
  co_return outcome::recalling;
}

/// Another node needs tokens that the server believes to be held here, or a ban has begun: on the executor.
void lease_client::hear_recall(std::string_view payload) {
  auto const told = parse_recall(payload);
  if (!told || told->asker == number_ || stopped_) return;
  quotas_->visit(told->key, [this](shared_quota& q) {
    {
      std::lock_guard const lock(q.mutex);
      q.is_recalled = true;
      if (q.is_asking) return;  // the call under way looks when it ends
      if (!owes_answer(q) || !may_ask(q, options_.clock())) {
        q.is_recalled = false;
        return;
      }
      q.is_asking.store(true);
    }
    begin_call(q);
  });
}

/// Whether a recall has to be answered by a call. The ledger is nobody else's.
bool lease_client::owes_answer(shared_quota const& q) const noexcept {
  return q.is_recalled && q.debit_ledger.may_hold(q.lease);
}

/// Who wanted it may have lost patience while it stood in line.
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

void lease_client::take_penalty(shared_quota& q, acquired const& told, limits::instant received) {
  auto const on_boot = [&](std::int64_t us) { return received.boot + std::chrono::microseconds{us - told.now}; };
  q.strikes.announced(on_boot(told.announced_at) + bans_.get().grace, on_boot(told.announced_until));
  bool const is_news = q.ban_begun.exchange(told.ban_begun) < told.ban_begun;
  if (told.ban_until <= told.now || told.ban_begun <= q.pardoned.load()) return;
  if (is_news) add(count::bans);
  limits::instant const by_server{.boot = received.boot,
                                  .wall = limits::wall_time{std::chrono::microseconds{told.now}}};
  q.account.impose_ban(limits::wall_time{std::chrono::microseconds{told.ban_until}}, by_server);
  if (is_news) q.untold_ban_until.store(on_boot(told.ban_until).time_since_epoch().count());
}

void lease_client::end_call(shared_quota& q, outcome how) {
  bool asks_again = false;
  {
    std::lock_guard const lock(q.mutex);
    bool const is_answered = how == outcome::answered || how == outcome::recalling;
    if (is_answered) q.share.end();
    if (how == outcome::refused) give_up_waiting(q);
    if (how == outcome::answered || how == outcome::failed) hand_out(q, is_answered, false, options_.clock());
    // Who came while the call was under way, or found that others were quicker, is asked for next.
    asks_again = !q.waiting.empty() || (is_answered && owes_answer(q));
    if (!asks_again) {
      q.is_recalled = false;
      q.is_asking.store(false);
    }
  }
  if (asks_again) begin_call(q);
  admission_queue& l = queue_of(q);
  release(q);
  begin_those_in_line(l);
}

void lease_client::abandon_call(shared_quota& q) noexcept {
  q.debit_ledger.lost();
  {
    std::lock_guard const lock(q.mutex);
    q.is_asking.store(false);
  }
  release(q);
}

void lease_client::release(shared_quota& q) noexcept {
  queue_of(q).leave();
  under_way_.fetch_sub(1);
  q.pins.fetch_sub(1, std::memory_order_release);
}

/// Under the quota's mutex: to those who wait, in their order. So each is woken once, and nobody who came later takes
/// what was asked for somebody else.
void lease_client::hand_out(shared_quota& q, bool is_answered, bool is_recalling, limits::instant now) {
  bool const is_banned = q.account.banned(now);
  // Whose time is not up asks again: what has failed may have begun before it came.
  bool const gives_up = !is_answered && !q.waiting.empty() && !may_ask(q, now);
  std::erase_if(q.waiting, [&](std::shared_ptr<waiting_request> const& request) {
    if (!is_answered) {
      if (gives_up) request->fate = request_fate::unanswered;
    } else if (is_banned && !request->never_banned) {
      request->fate = request_fate::banned;
    } else if (!request->wants_token) {
      if (!is_recalling) request->fate = request_fate::decided;
    } else {
      request->decision = q.lease.charge_after_asking(request->plan, now);
      if (request->decision.outcome != limits::lease::outcome::must_ask) request->fate = request_fate::decided;
    }
    if (request->fate == request_fate::waits) return false;
    wake(request);
    return true;
  });
}

/// Under the quota's mutex: for those who wait the failure policy decides, now.
void lease_client::give_up_waiting(shared_quota& q) {
  for (auto const& request : q.waiting) {
    request->fate = request_fate::unanswered;
    wake(request);
  }
  q.waiting.clear();
}

void lease_client::wake(std::shared_ptr<waiting_request> const& request) {
  try {
    asio::post(request->timer.get_executor(), [request] { request->timer.cancel(); });
  } catch (std::bad_alloc const&) {  // then its timer wakes it
  }
}

/// What is wrong with one key, or with all of them, is said once in a while: every request may find it.
void lease_client::report_error(std::string const& what) {
  auto const now = std::chrono::steady_clock::now();
  if (now < tells_errors_from_) return;
  tells_errors_from_ = now + error_pause;
  report("quota_redis_error", what);
}

}  // namespace petstore::quota
