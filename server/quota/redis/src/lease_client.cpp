// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "lease_client.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>
#include <cassert>
#include <list>
#include <optional>
#include <utility>

#include "petstore/asio/as_result.hpp"

namespace petstore::quota {
namespace {

using limits::lease;
using limits::verdict;

bool is_never_banned(shared_quota const& q, ports::payer const& who) {
  return who.never_banned || q.of == shared_quota::owner::addresses;
}

verdict refusal_of(shared_quota const& q, ports::payer const& who, limits::decision why, limits::cost tokens,
                   limits::instant now) {
  verdict v = q.lease.observe(who.plan, now).verdict;
  v.decision = why;
  v.occasion = limits::occasion::charge;
  v.cost = tokens;
  return v;
}

/// The entry of a request in the list of waiting requests. It is removed at the end of the coroutine that owns it, even
/// if the coroutine is destroyed, so that an answer wakes only requests whose executor exists.
class waiting_entry {
 public:
  /// Under the quota's mutex.
  waiting_entry(shared_quota& q, std::shared_ptr<waiting_request> const& who)
      : quota_(q), position_(q.waiting.insert(q.waiting.end(), who)), who_(who) {}
  ~waiting_entry() {
    std::lock_guard const lock(quota_.mutex);
    remove();
  }
  waiting_entry(waiting_entry const&) = delete;
  waiting_entry& operator=(waiting_entry const&) = delete;

  /// Ends the wait. Returns the outcome, which does not change any more.
  request_outcome end_wait() {
    std::lock_guard const lock(quota_.mutex);
    remove();
    return who_->outcome;
  }

 private:
  void remove() {
    if (who_->outcome != request_outcome::waits) return;  // it was removed when its outcome was decided
    quota_.waiting.erase(position_);
    who_->outcome = request_outcome::unanswered;
  }

  shared_quota& quota_;
  pin pin_{quota_};
  std::list<std::shared_ptr<waiting_request>>::iterator const position_;
  std::shared_ptr<waiting_request> const who_;
};

}  // namespace

ports::eventual<verdict> lease_client::charge(shared_quota& q, ports::payer const& who, limits::cost tokens,
                                              limits::instant now) {
  if (!is_never_banned(q, who) && q.account.banned(now)) return refuse_banned(q, who, tokens, now);
  lease::decision const d = q.lease.charge(who.plan, tokens, now);
  if (d.outcome == lease::outcome::must_ask) {
    if (!limits::can_ever_pass(tokens, who.plan))  // no answer of the server would change it
      return refusal_of(q, who, limits::decision::rate_limited, tokens, now);
    if (!could_ask(q, now)) return decide_alone(q, who, tokens, now);
    // Pinned here, because the coroutine begins only when it is awaited, and the quota may be removed before.
    pin pinned(q);
    return ask_and_charge(std::move(pinned), who, tokens);
  }
  if (d.ask_ahead && !q.is_asking.load(std::memory_order_relaxed)) ask_ahead(q, who);
  if (d.outcome == lease::outcome::refused) add<&figures::kept_refusals>();
  return settle(q, who, d, now);
}

asio::awaitable<verdict> lease_client::ask_and_charge(pin pinned, ports::payer const& who, limits::cost tokens) {
  shared_quota& q = *pinned;
  add<&figures::waits>();
  lease::decision decision;
  auto const got = co_await wait_for_answer(q, who, tokens, decision);
  limits::instant const now = options_.clock();
  if (got == request_outcome::decided) co_return settle(q, who, decision, now);
  bool const is_banned = got == request_outcome::banned || (!is_never_banned(q, who) && q.account.banned(now));
  co_return is_banned ? refuse_banned(q, who, tokens, now) : decide_alone(q, who, tokens, now);
}

/// A request waits until the deadline for a call. If it finds a call under way, it waits for that one and then for its
/// own. A call goes on when nobody waits for it any more; the breaker counts the missing answer without waiting for its
/// end.
asio::awaitable<request_outcome> lease_client::wait_for_answer(shared_quota& q, ports::payer const& who,
                                                               std::optional<limits::cost> tokens,
                                                               lease::decision& decision) {
  auto const executor = co_await asio::this_coro::executor;
  limits::instant const begun = options_.clock();
  auto const request = std::make_shared<waiting_request>(executor, who.plan, is_never_banned(q, who), tokens);
  std::optional<waiting_entry> entry;
  bool joins = false;
  {
    std::lock_guard const lock(q.mutex);
    // An answer may have come since the caller's charge.
    if (tokens) decision = q.lease.charge(who.plan, *tokens, options_.clock());
    if (decision.outcome != lease::outcome::must_ask) co_return request_outcome::decided;
    // Only now is it sure to make a call: a charge that is never awaited must not be the probe.
    if (!may_ask(q, options_.clock())) co_return request_outcome::unanswered;
    entry.emplace(q, request);
    q.plan = who.plan;
    q.never_banned = request->never_banned;
    joins = q.is_asking.exchange(true);
    request->timer.expires_after(joins ? 2 * options_.deadline : options_.deadline);
  }
  if (joins) begin_deferred_calls();  // the call may be one of these
  if (!joins) begin_call(q);
  auto const [ended] = co_await request->timer.async_wait(as_result);
  auto const got = entry->end_wait();
  // If it was woken before the deadline, the breaker knows of the failure already.
  if (got == request_outcome::unanswered && ended != asio::error::operation_aborted)
    queue_of(q).failed(options_.clock(), begun);
  decision = request->decision;
  co_return got;
}

verdict lease_client::settle(shared_quota& q, ports::payer const& who, lease::decision const& d, limits::instant now) {
  // While there are tokens, but too few, a cheaper request may pass: such a refusal is no strike.
  if (d.outcome == lease::outcome::refused && d.is_empty && !is_never_banned(q, who)) note_refusal(q, now);
  return d.verdict;
}

/// The regular round reports strikes. If there are enough for a ban, they are reported at once.
void lease_client::note_refusal(shared_quota& q, limits::instant now) {
  auto const& bans = bans_.get();
  if (bans.strikes == 0) return;
  std::uint32_t const strikes = q.strikes.refused(now);
  if (strikes == 0) return;
  watch(q);
  if (strikes < bans.strikes || q.is_asking.load(std::memory_order_relaxed)) return;
  {
    std::lock_guard const lock(q.mutex);
    if (q.is_asking || !may_ask(q, now)) return;
    q.is_asking.store(true);
  }
  begin_call(q);
}

verdict lease_client::refuse_banned(shared_quota& q, ports::payer const& who, limits::cost tokens,
                                    limits::instant now) const {
  verdict v = refusal_of(q, who, limits::decision::banned, tokens, now);
  v.blocked_for = q.account.observe(who.plan, now).blocked_for;
  if (q.unreported_ban_until.load(std::memory_order_relaxed) != 0)
    v.begins_ban = q.unreported_ban_until.exchange(0) > now.boot.time_since_epoch().count();
  return v;
}

/// Uses the tokens that are still held; if they are too few, applies the failure policy.
verdict lease_client::decide_alone(shared_quota& q, ports::payer const& who, limits::cost tokens, limits::instant now) {
  if (lease::decision const held = q.lease.charge_held(tokens, now); held.outcome == lease::outcome::admitted)
    return held.verdict;
  add<&figures::policy_decisions>();
  auto const nodes = sharers_.load(std::memory_order_relaxed);
  // A share that is smaller than the cost never admits, so no time could be named after which it does.
  bool const has_no_share = options_.on_failure == failure_policy::degraded && !share::covers(who.plan, nodes, tokens);
  if (options_.on_failure == failure_policy::closed || has_no_share)
    throw boost::system::system_error(asio::error::timed_out, "Redis does not answer");

  std::lock_guard const lock(q.mutex);
  q.plan = who.plan;
  verdict v;
  if (options_.on_failure == failure_policy::degraded) {
    // Held tokens are no part of the rest that nodes share: cheaper requests use them.
    v = q.share.charge(q.lease.observe_debited(who.plan, now).verdict, who.plan, nodes, tokens);
    // The server never counts it in a continuous bucket, so there is no token that a refund could put back.
    if (v.admitted() && who.plan.short_refill == limits::refill::continuous) v.occasion = limits::occasion::observation;
  } else {
    v = q.lease.observe(who.plan, now).verdict;
    // The verdict stays an observation, for the same reason.
    v.decision = limits::decision::admitted;
    q.share.count(who.plan, tokens, v.at);
  }
  q.spent_alone = true;
  watch(q);
  return v;
}

verdict lease_client::refund(shared_quota& q, ports::payer const& who, verdict const& charged, limits::instant now) {
  verdict v = q.lease.refund(charged, now).verdict;
  if (v.occasion == limits::occasion::mistaken_refund) {
    assert(false && "what is given back was not taken");
    mistaken_refunds_.fetch_add(1, std::memory_order_relaxed);
    v = observe(q, who, now);
    v.occasion = limits::occasion::mistaken_refund;
    return v;
  }
  if (q.lease.tokens() != 0) watch(q);
  if (auto const alone = observe_alone(q, who, v.at)) v = *alone;
  v.decision = limits::decision::admitted;
  v.occasion = limits::occasion::refund;
  v.plan = who.plan;
  return v;
}

/// What is left for this node while the server does not answer.
std::optional<verdict> lease_client::observe_alone(shared_quota& q, ports::payer const& who, limits::instant now) {
  std::lock_guard const lock(q.mutex);
  return q.share.observe(who.plan, q.lease.lies_idle(now) ? 0 : q.lease.tokens(), now);
}

verdict lease_client::observe(shared_quota& q, ports::payer const& who, limits::instant now) const {
  verdict v = q.lease.observe(who.plan, now).verdict;
  if (auto const alone = observe_alone(q, who, v.at)) v = *alone;
  if (!is_never_banned(q, who) && q.account.banned(now)) {
    v.decision = limits::decision::banned;
    v.blocked_for = q.account.observe(who.plan, now).blocked_for;
  }
  return v;
}

ports::eventual<verdict> lease_client::look(shared_quota& q, ports::payer const& who, limits::instant now) {
  bool const is_fresh = now.boot.time_since_epoch() - std::chrono::nanoseconds{q.told_at} < debit_ledger::lease_life &&
                        q.lease.observe(who.plan, now).outcome != lease::outcome::must_ask;
  if (is_fresh || !could_ask(q, now)) return observe(q, who, now);
  pin pinned(q);
  return ask_and_look(std::move(pinned), who);
}

asio::awaitable<verdict> lease_client::ask_and_look(pin pinned, ports::payer const& who) {
  shared_quota& q = *pinned;
  lease::decision nothing;
  co_await wait_for_answer(q, who, std::nullopt, nothing);
  co_return observe(q, who, options_.clock());
}

void lease_client::impose_ban(limits::account& whose, limits::wall_time until, limits::instant now) {
  operators_bans_.impose(whose, until, now);
}

void lease_client::pardon(shared_quota& q, limits::wall_time given_at) {
  std::int64_t const at = given_at.time_since_epoch() / std::chrono::microseconds{1};
  if (q.ban_begun.load() <= at) {
    q.strikes.forgive();
    q.unreported_ban_until.store(0);
    operators_bans_.lift(q.account);
  }
  if (q.pardoned.exchange(at) == at) return;
  q.owes_pardon.store(true);
  watch(q);
}

bool lease_client::could_ask(shared_quota const& q, limits::instant now) noexcept {
  return !stopped_.load(std::memory_order_relaxed) && queue_of(q).could_ask(now);
}

bool lease_client::may_ask(shared_quota const& q, limits::instant now) noexcept {
  return !stopped_.load(std::memory_order_relaxed) && queue_of(q).may_ask(now);
}

ports::shared_quota_figures lease_client::counters() const {
  figures c{.leases = leases_.load(std::memory_order_relaxed),
            .tokens_held = tokens_held_.load(std::memory_order_relaxed),
            .nodes = nodes_.load(std::memory_order_relaxed)};
  for (std::size_t i = 0; i < counts_.size(); ++i)
    c.*ports::counted_quota_figures[i] = counts_[i].load(std::memory_order_relaxed);
  // Failed calls of addresses say nothing about calls of keys, unless heartbeats are not answered either.
  c.breaker_open = of_keys_.is_cut_off() || (of_addresses_.is_cut_off() && is_missed_.load(std::memory_order_relaxed));
  c.breaker_openings = of_keys_.openings() + of_addresses_.openings();
  call_times_.tell(c);
  runner_->tell(c);
  return c;
}

}  // namespace petstore::quota
