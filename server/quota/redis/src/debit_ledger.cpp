// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "debit_ledger.hpp"

#include <algorithm>
#include <utility>

namespace petstore::quota {
namespace {

using std::chrono::nanoseconds;

/// Translates a time of the server to this node's boot clock. `at` is the moment at which the server's clock showed
/// `now_us`, or shortly before or after it.
limits::boot_time on_boot_clock(std::int64_t us, std::int64_t now_us, limits::boot_time at) {
  return at + std::chrono::microseconds{us - now_us};
}

/// The same for the end of tokens, which must not be too late. The rates of the two clocks may differ by a thousandth.
limits::boot_time safely_before(std::int64_t us, std::int64_t now_us, limits::boot_time sent) {
  std::int64_t const left = std::max<std::int64_t>(0, us - now_us);
  return sent + std::chrono::microseconds{left - left / 1'000};
}

/// Continuous refill: the time until the bucket is full.
nanoseconds owed_by(acquired const& a) {
  return std::chrono::microseconds{a.full_at - a.now} + nanoseconds{a.full_at_ns};
}

/// The tokens that the server has left of both quotas.
std::uint32_t rest_of(limits::plan const& p, acquired const& a) {
  std::uint64_t short_used = a.short_used;
  if (p.short_refill == limits::refill::continuous) {
    auto const interval = token_interval(p).count();
    short_used = static_cast<std::uint64_t>((owed_by(a).count() + interval - 1) / interval);
  }
  auto const left = [](std::uint64_t tokens, std::uint64_t used) { return tokens - std::min(used, tokens); };
  std::uint64_t rest = left(p.short_window.tokens(), short_used);
  if (p.long_window) rest = std::min(rest, left(p.long_window.tokens(), a.long_used));
  return static_cast<std::uint32_t>(rest);
}

/// When the server has that many tokens; `a.now` if it has them.
std::int64_t free_at(limits::plan const& p, acquired const& a, std::uint32_t tokens) {
  std::int64_t at = a.now;
  if (p.short_refill == limits::refill::continuous) {
    auto const others = static_cast<std::int64_t>(p.short_window.tokens()) - static_cast<std::int64_t>(tokens);
    nanoseconds const wait = owed_by(a) - others * token_interval(p);
    at = std::max(at, a.now + std::chrono::ceil<std::chrono::microseconds>(wait).count());
  } else if (a.short_used + tokens > p.short_window.tokens()) {
    at = std::max(at, a.short_end);
  }
  if (p.long_window && a.long_used + tokens > p.long_window.tokens()) at = std::max(at, a.long_end);
  return at;
}

/// Whether a lease can hold that end as one of an aligned period. Under an aligned plan, a period that a request began
/// under an earlier plan may still be open.
bool is_aligned_end(limits::plan const& p, std::int64_t end_us) {
  return p.long_window.is_aligned() && std::chrono::microseconds{end_us} % std::chrono::hours{1} == nanoseconds{0};
}

}  // namespace

acquisition debit_ledger::ask(limits::lease& lease, question const& q, std::uint64_t sequence, limits::instant now) {
  limits::period const short_period = q.plan.short_window.period(), long_period = q.plan.long_window.period();
  short_.spend_alone(q.spent_alone.of_short, short_period);
  long_.spend_alone(q.spent_alone.of_long, long_period);
  given_up_ = 0;
  asked_at_ = now.boot;
  if (must_begin_generation(now)) {
    begin_generation(sequence);
    lease.take_back();
  } else {
    // While an answer is missing, the node keeps its tokens and claims them, since the server may be unreachable for
    // longer. Tokens of a short period that is over are useless, but still count in the long one: they are given up.
    bool const is_over = !is_short_lived_ && now.boot >= held_until_;
    // Tokens that are too few for each of the waiting requests go back, and the call asks for all that one needs.
    // Otherwise two nodes might hold such tokens, and each would wait for those of the other.
    bool const are_too_few = q.cheapest > lease.tokens();
    if (((q.gives_back || are_too_few) && !unsettled_) || q.plan != plan_ || is_over) give_up(lease.take_back());
    short_.claim_alone(q.spent_alone.of_short, short_period, server_us(now));
    long_.claim_alone(q.spent_alone.of_long, long_period, server_us(now));
  }
  // Until the server answers, each call of a new generation claims what was admitted without the server.
  if (!is_heard_) {
    short_.claim = short_.alone;
    long_.claim = long_.alone;
  }

  acquisition a;
  a.generation = generation_;
  a.sequence = sequence;
  a.plan = q.plan;
  a.nodes = q.nodes;
  size_ = 0;
  a.want = q.wants_tokens ? wanted(q, lease.tokens(), now) : 0;
  // Requests that get one of the tokens held here do not wait for the grant, and no refusal is announced to them.
  std::uint32_t const tokens = lease.tokens();
  a.waiting = q.waiting - std::min(q.waiting, tokens);
  a.held = q.waiting <= tokens ? tokens - q.waiting : std::min(tokens, q.dearest - 1);
  a.cheapest = q.cheapest > tokens ? q.cheapest - tokens : 1;
  a.dearest = q.dearest;
  a.has_old_nodes = q.has_old_nodes;
  short_leases_ = q.short_leases;
  a.looks = q.looks;
  a.patience = q.patience / std::chrono::microseconds{1};
  a.short_end = short_.claim.end;
  a.short_count = short_.claim.count;
  a.long_end = long_.claim.end;
  a.long_count = long_.claim.count;
  a.returned_ns = to_return_ == 0 ? 0 : to_return_ * token_interval(plan_).count();
  a.returned_mark = mark_;
  a.strikes = q.strikes;
  a.pardoned = q.pardoned;
  a.never_banned = q.never_banned;
  a.born = born_;
  a.earlier_short_end = short_.earlier.end;
  a.earlier_short_count = short_.earlier.count;
  a.earlier_long_end = long_.earlier.end;
  a.earlier_long_count = long_.earlier.count;
  a.full_at = full_at_;
  // Returned once only: if the answer is lost, they may have come back, and must not come back twice.
  to_return_ = 0;
  return a;
}

bool debit_ledger::must_begin_generation(limits::instant now) const noexcept {
  if (generation_ == 0) return true;
  if (!is_heard_ || now.boot - heard_at_ <= generation_life) return false;
  bool const may_be_open = plan_.long_window || plan_.short_window.period().longest() > generation_life;
  if (told_held_ != 0 && may_be_open) return false;  // the server remembers this node
  return !unsettled_ || now.boot - lost_at_ > unheard_life;
}

/// The tokens that the key uses in the life of a lease at its recent rate, at least `lease_min`, and those for waiting
/// requests.
std::uint32_t debit_ledger::wanted(question const& q, std::uint32_t tokens, limits::instant now) noexcept {
  if (q.strict) return q.waiting;
  std::int64_t const used = tokens_ > tokens ? tokens_ - tokens : 0;
  std::int64_t const elapsed_us = std::max<std::int64_t>(1, (now.boot - installed_at_).count() / 1'000);
  std::int64_t const by_rate = used * (lease_life.count() / 1'000) / elapsed_us;
  std::int64_t const most = std::int64_t{growth_max} * std::max<std::uint32_t>(1, tokens_);
  std::int64_t const needed = std::min(by_rate, most);
  std::int64_t want = 0;
  if (q.plan.short_refill == limits::refill::continuous || q.short_leases) {
    want = std::max<std::int64_t>({1, q.waiting, needed});
  } else {
    std::int64_t const size = std::max<std::int64_t>(lease_min, needed);
    size_ = static_cast<std::uint32_t>(std::min<std::int64_t>(size, limits::short_tokens_max));
    want = std::max<std::int64_t>(1, q.waiting + size - tokens);
  }
  return static_cast<std::uint32_t>(std::min<std::int64_t>(want, limits::short_tokens_max));
}

/// Gives up tokens of the installed lease.
void debit_ledger::give_up(std::uint32_t tokens) noexcept {
  if (tokens == 0) return;
  given_up_ = tokens;
  // Continuous refill: tokens of an earlier grant may have been refilled already.
  if (plan_.short_refill == limits::refill::continuous)
    to_return_ = std::min(tokens, granted_);
  else
    short_.give_up(tokens);
  if (plan_.long_window) long_.give_up(tokens);
}

void debit_ledger::begin_generation(std::uint64_t number) noexcept {
  short_.begin_generation();
  long_.begin_generation();
  generation_ = number;
  is_heard_ = false;
  to_return_ = 0;
}

void debit_ledger::debits::begin_generation() noexcept {
  earlier.add(claim);
  claim = replaced = {};
}

/// Tokens of the lease are of the server's period as it was told; the claim may be of a later one.
void debit_ledger::debits::give_up(std::uint64_t tokens) noexcept {
  if (claim.end == told) claim.count -= std::min(tokens, claim.count);
}

void debit_ledger::debits::hold_again(std::uint64_t tokens) noexcept {
  if (claim.end == told) claim.count += tokens;
}

void debit_ledger::debits::spend_alone(period_count spent, limits::period p) noexcept {
  if (!p.is_aligned()) spent.end = told;
  alone.add(spent);
}

/// Adds the tokens to the claimed period. The server ignores claims of a period that is over. A claim of another period
/// says that this node took nothing of the earlier one, so it is made only when that one has ended on the server, too.
void debit_ledger::debits::claim_alone(period_count spent, limits::period p, std::int64_t server_us) noexcept {
  if (p.is_aligned() && alone.end > claim.end && claim.end + surely_over.count() <= server_us)
    replaced = std::exchange(claim, alone);
  else if (!p.is_aligned() || claim.end == spent.end)
    claim.count += spent.count;
}

/// Makes the claim one for the server's period. If the node has claimed a later period meanwhile, it claims again what
/// it had claimed of the server's one. Tokens that it admitted alone in an aligned period that the server has not
/// opened yet are claimed later.
bool debit_ledger::debits::answered(acquired_period a, limits::period p, std::uint32_t dropped,
                                    bool has_counted_earlier) noexcept {
  bool has_news = false;
  if (claim.end == a.end) {
    give_up(dropped);
  } else {
    period_count const known = replaced.end == a.end ? replaced : p.is_aligned() ? alone : period_count{};
    has_news = known.end == a.end && known.count != 0;
    claim = {.end = a.end, .count = has_news ? known.count : 0};
  }
  replaced = {};
  if (has_counted_earlier) {
    if (earlier.end == a.end) claim.count += earlier.count;
    earlier = {};
  }
  claim.count += a.granted;
  if (!p.is_aligned() || alone.end <= std::max(a.end, a.now)) alone = {};
  told = a.end;
  return has_news || (a.end == 0 && alone.count != 0);
}

bool debit_ledger::debits::is_open(std::int64_t server_us) const noexcept {
  return (claim.count != 0 && claim.end > server_us) || (earlier.count != 0 && earlier.end > server_us);
}

/// Clients are told times of the server's clock. It showed `a.now` at some moment between `sent` and `received`.
void debit_ledger::follow_clock(acquired const& a, bool is_new_period, limits::instant sent,
                                limits::instant received) noexcept {
  std::chrono::microseconds const server_now{a.now};
  nanoseconds const at_least = server_now - received.boot.time_since_epoch();
  nanoseconds const at_most = server_now - sent.boot.time_since_epoch();
  bool const is_right = wall_minus_boot_ >= at_least - told_error_max && wall_minus_boot_ <= at_most + told_error_max;
  if (is_right && !is_new_period) return;
  wall_minus_boot_ = at_least;
  told_end_ = a.short_end == 0 ? limits::boot_time{} : on_boot_clock(a.short_end, a.now, received.boot);
}

std::uint32_t debit_ledger::answered(limits::lease& lease, acquisition const& asked, acquired const& a, bool strict,
                                     limits::instant sent, limits::instant received) {
  bool const continuous = asked.plan.short_refill == limits::refill::continuous;
  bool const same_short =
      continuous ? plan_ == asked.plan : short_.told == a.short_end && told_end_ != limits::boot_time{};
  bool const same_long = !asked.plan.long_window || long_.told == a.long_end;
  bool const keep = same_short && same_long && plan_ == asked.plan;

  limits::lease_terms t;
  t.plan = asked.plan;
  t.short_used = a.short_used;
  t.long_used = a.long_used;
  follow_clock(a, !same_short || continuous, sent, received);
  t.wall_minus_boot = wall_minus_boot_;
  std::chrono::microseconds const long_end{a.long_end};
  if (is_aligned_end(asked.plan, a.long_end))
    t.long_end_wall = limits::wall_time{long_end};
  else if (a.long_end != 0)
    t.long_end = limits::boot_time{long_end - wall_minus_boot_};
  t.short_end = continuous ? on_boot_clock(a.full_at, a.now, received.boot) + nanoseconds{a.full_at_ns} : told_end_;

  is_short_lived_ = strict || continuous || short_leases_ || a.short_end == 0;
  nanoseconds const life = strict ? received.boot - sent.boot + lease_life / 20 : lease_life;
  t.use_until = sent.boot + life;
  t.held_until = t.use_until;
  if (!continuous && a.short_end != 0) t.held_until = safely_before(a.short_end, a.now, sent.boot);
  if (asked.plan.long_window && a.long_end != 0)
    t.held_until = std::min(t.held_until, safely_before(a.long_end, a.now, sent.boot));
  t.use_until = is_short_lived_ ? std::min(t.use_until, t.held_until) : t.held_until;
  held_until_ = t.held_until;
  if (size_ != 0) t.ask_at = std::max<std::uint32_t>(1, size_ / ahead_part);

  // A refusal is kept once the server has announced it: from then on, requests that ignore it are strikes. The server
  // announces nothing if no request waited, or while there are tokens, but too few. The latter is kept, too.
  std::uint32_t const rest = rest_of(asked.plan, a);
  bool const is_refusal = rest == 0 ? a.announced_until > a.now : asked.waiting > a.granted;
  if (std::int64_t const free = free_at(asked.plan, a, rest + 1);
      free > a.now && is_refusal && a.holders != holders::recalled) {
    t.rest = rest;
    limits::boot_time until = on_boot_clock(free, a.now, sent.boot);
    if (continuous) until = std::max(until, received.boot + refill_pause_min);
    bool const is_final = a.holders == holders::none && rest == 0;
    t.refused_until = std::min(until, received.boot + (is_final ? refusal_max : unsettled_refusal_max));
  }

  if (received.boot < refuses_until_ && a.granted == 0 && plan_ == asked.plan) {
    t.rest = t.refused_until == limits::boot_time{} ? refused_rest_ : std::min(t.rest, refused_rest_);
    t.refused_until = std::max(t.refused_until, std::min(refused_until_, refuses_until_));
  }
  refused_until_ = t.refused_until;
  refused_rest_ = t.rest;

  std::uint32_t const dropped = lease.install(t, a.granted, keep);
  // After a loss, the server has counted the tokens of earlier generations for this one.
  bool const has_counted_earlier = born_ != 0 && born_ != a.born;
  bool const has_news_of_short =
      short_.answered({a.short_end, a.now, a.granted}, asked.plan.short_window.period(), dropped, has_counted_earlier);
  bool const has_news_of_long =
      long_.answered({a.long_end, a.now, asked.plan.long_window ? a.granted : 0}, asked.plan.long_window.period(),
                     plan_.long_window ? dropped : 0, has_counted_earlier);
  born_ = a.born;
  full_at_ = continuous ? a.full_at : 0;
  plan_ = asked.plan;
  if (a.granted != 0) mark_ = a.full_at, granted_ = a.granted;
  heard_at_ = sent.boot;
  is_heard_ = true;
  unsettled_ = has_news_of_short || has_news_of_long;
  tokens_ = lease.tokens();
  told_held_ = asked.held_after(a.granted);
  installed_at_ = received.boot;
  return dropped;
}

bool debit_ledger::must_claim_again(limits::boot_time heard_since, limits::instant now) noexcept {
  if (!is_heard_ || heard_at_ < heard_since) return false;
  std::int64_t const at = server_us(now);
  bool const has_debits = short_.is_open(at) || long_.is_open(at) || full_at_ > at;
  bool const refuses = keeps_refusal(now);
  if (refuses) refuses_until_ = now.boot + claims_wait;
  return has_debits || refuses;
}

bool debit_ledger::has_idle(limits::lease const& lease, limits::instant now) const noexcept {
  if (lease.tokens() == 0) return false;
  if (is_short_lived_) return lease.lies_idle(now);
  return told_held_ == 0 && now.boot - heard_at_ >= lease_life;
}

void debit_ledger::lost() noexcept {
  unsettled_ = true;
  lost_at_ = asked_at_;
}

void debit_ledger::not_run(limits::lease& lease, acquisition const& asked) noexcept {
  unsettled_ = true;
  std::uint32_t const tokens = std::exchange(given_up_, 0);
  if (tokens == 0) return;
  lease.put_back(tokens);
  if (asked.returned_ns == 0) short_.hold_again(tokens);
  if (plan_.long_window) long_.hold_again(tokens);
}

}  // namespace petstore::quota
