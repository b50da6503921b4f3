// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include "petstore/export.hpp"
#include "petstore/limits/account.hpp"
#include "petstore/limits/cost.hpp"
#include "petstore/limits/detail/ban_range.hpp"
#include "petstore/limits/detail/identity_table.hpp"
#include "petstore/limits/detail/numbered_plans.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/limiter_errc.hpp"
#include "petstore/limits/plan.hpp"
#include "petstore/limits/reservation.hpp"
#include "petstore/limits/verdict.hpp"

namespace petstore::limits {

/// What is done with a refusal.
enum class enforcement : std::uint8_t {
  enforced,  ///< the verdict is a refusal
  shadow,    ///< refusals are decided, counted and noted in `verdict::withheld`, but admitted
};

/// The options of a limiter.
struct PETSTORE_EXPORT limiter_options {
  limits::plan plan;                    ///< number 0: for identities that are charged without a plan of their own
  ban_policy bans = no_bans;            ///< for callers that ignore refusals; durations of 0 to 31 days
  std::size_t identities_max = 65'536;  ///< 1 .. 2^28, rounded up to a power of two; allocates 128 bytes or more each
  limits::enforcement enforcement = enforcement::enforced;  ///< `limiter::enforce` can change it later
  std::vector<limits::plan> more_plans = {};                ///< numbers 1, 2, …: for charges under `limiter::plan_at`
};

/// Counts since the limiter was made, except `identities`.
struct PETSTORE_EXPORT limiter_figures {
  std::size_t identities = 0;          ///< the number that have an account of their own now
  std::uint64_t evicted = 0;           ///< removed to make space; nothing of their open periods was used
  std::uint64_t shared = 0;            ///< decisions on a shared account, because the table was full
  std::uint64_t withheld = 0;          ///< refusals that shadow mode admitted
  std::uint64_t mistaken_refunds = 0;  ///< refunds that gave nothing back, because they were mistakes
};

/// One identity, saved for the next run of the program.
template <class Key>
struct saved_identity {
  Key key;                ///< copied from the table
  saved_account account;  ///< its used tokens, and its ban
};

/// Decides which requests may pass, for any kind of identity: customers, players, addresses, queues. Each identity has
/// an account (account.hpp) in a table of bounded size. It gets a verdict (verdict.hpp), from which `tell` (notice.hpp)
/// and `append_headers` (headers.hpp) make everything that is sent to a client. Time is an argument; `limits::now()`
/// reads it.
///
///     limits::limiter<std::string> quota({.plan = {limits::per_minute(60), limits::per_day(1'000)}});
///     if (!quota.charge(customer, limits::now()).admitted()) …
///
/// When the table is full, a new identity replaces one that equals a new one (full buckets, no refusal to wait for, no
/// ban, not in use), so that eviction never grants a token. If there is none among 8, the new identity shares one of
/// 256 overflow accounts; these are never banned and not saved. When it gets an account of its own later, that account
/// starts full.
///
/// `Key` must be copyable, must move without throwing and must not point to memory of others. `Hash` and `Equal` must
/// agree; they may be transparent, so that a std::string_view finds a std::string. A key that is a number is found by
/// integers of its size or a smaller one; others do not compile. A hash chain holds at most 32 keys;
/// still, use a hash with a secret (keyed_hash.hpp) for keys that clients choose.
///
/// Thread safety: every member from any thread at any time, except construction and destruction. A charge of an
/// identity that has an account of its own takes no lock: O(1), two atomic additions and the account's swap. A new
/// identity takes one of up to 64 mutexes; so do one that shares an account, one whose search was misled by another
/// thread's change of the table, and a look or a refund that finds no account. Only copying keys (bad_alloc, before
/// anything is taken), hashing and comparing them can throw.
template <class Key, class Hash = std::hash<Key>, class Equal = std::equal_to<Key>>
class limiter {
  using table = detail::identity_table<Key, Hash, Equal>;

 public:
  /// Allocates the whole table. Throws std::bad_alloc, and std::invalid_argument for a plan that is not sound
  /// (plan.hpp), and for bans with a duration outside its range. A number of identities outside the range counts
  /// as the nearest.
  explicit limiter(limiter_options const& options, Hash hash = {}, Equal equal = {})
      : options_{options},
        plans_(options.plan, options.more_plans),
        is_shadow_{options.enforcement == enforcement::shadow},
        table_(options.identities_max, std::move(hash), std::move(equal)) {
    detail::checked(options.bans);
  }

  /// Takes one token of each quota, or nothing.
  template <class Lookup = Key>
  [[nodiscard]] verdict charge(Lookup const& key, instant now) {
    return charge(key, plans_.at(0), 1, now);
  }
  /// Takes `tokens` of each quota, or nothing.
  template <class Lookup = Key>
  [[nodiscard]] verdict charge(Lookup const& key, cost tokens, instant now) {
    return charge(key, plans_.at(0), tokens, now);
  }
  /// The same under the identity's own plan. It may change between calls; the used part of the quotas stays used.
  template <class Lookup = Key>
  [[nodiscard]] verdict charge(Lookup const& key, plan const& p, cost tokens, instant now) {
    target const at = target_of(key, now);
    return charge_at(at, p, tokens, now);
  }

  /// Returns what `charge` would decide now, also in shadow mode. Takes nothing, makes no entry, counts nothing. An
  /// identity without an account is shown as new or, if the table is full, with the overflow account that it would
  /// share.
  template <class Lookup = Key>
  [[nodiscard]] verdict peek(Lookup const& key, cost tokens, instant now) const {
    return peek(key, plans_.at(0), tokens, now);
  }
  /// The same under the identity's own plan.
  template <class Lookup = Key>
  [[nodiscard]] verdict peek(Lookup const& key, plan const& p, cost tokens, instant now) const {
    std::uint64_t const hash = table_.hash_of(key);
    if (auto const use = table_.find_for_certain(key, hash)) return as_enforced(use.account().peek(p, tokens, now));
    if (table_.can_add(key, hash, now)) return as_enforced(account{}.peek(p, tokens, now));
    return as_enforced(table_.overflow_of(hash).peek(p, tokens, now));
  }

  /// Gives back what `charged` took, if the periods that it was taken from are still open, and never more
  /// than is used. Once for each verdict. Returns the state after that.
  ///
  /// A mistake gives nothing back: what `account::refund` says of mistakes holds here, and `figures` counts them. After
  /// an identity was evicted or shared an account, only a verdict that took nothing, or is marked, is noticed.
  template <class Lookup = Key>
  verdict refund(Lookup const& key, verdict const& charged, instant now) {
    return refund_to(key, charged, now);
  }
  /// The same, and marks `charged` as given back, so that a second refund of this variable is always noticed.
  template <class Lookup = Key>
  verdict refund(Lookup const& key, verdict& charged, instant now) {
    return refund_to(key, charged, now);
  }

  /// The result of `reserve`. A session can keep it in a `std::optional<limiter<Key>::reservation_type<>>`, filled by
  /// `emplace`.
  template <class Clock = instant (*)() noexcept>
  using reservation_type = reservation<typename table::use, Clock>;

  /// Charges, and gives back when the returned object is destroyed without `commit`. `clock` returns the time; it is
  /// called once now and at most once later. By default it is `limits::now`, the clocks of the machine; a caller that
  /// passes its own times to other functions must pass its clock here. If the clock throws, nothing is taken.
  template <class Lookup = Key, std::invocable Clock = instant (*)() noexcept>
  reservation_type<Clock> reserve(Lookup const& key, plan const& p, cost tokens, Clock clock = &limits::now) {
    instant const now = clock();
    target at = target_of(key, now);
    verdict const v = charge_at(at, p, tokens, now);
    return reservation_type<Clock>(std::move(at.own), *at.account, v, std::move(clock));
  }
  /// The same under the limiter's plan.
  template <class Lookup = Key, std::invocable Clock = instant (*)() noexcept>
  reservation_type<Clock> reserve(Lookup const& key, cost tokens, Clock clock = &limits::now) {
    return reserve(key, plans_.at(0), tokens, std::move(clock));
  }

  /// Imposes an operator's ban. A ban that already lasts longer does not change. Returns false if the table is full:
  /// then nothing was done. It ends when the time between `now` and `until` has passed, also if the wall clock is set.
  template <class Lookup = Key>
  [[nodiscard]] bool ban(Lookup const& key, wall_time until, instant now) {
    auto const use = table_.find_or_make(key, table_.hash_of(key), now, as_it_is);
    if (use) use.account().impose_ban(until, now);
    return static_cast<bool>(use);
  }
  /// Ends any ban of that identity and forgets earlier ones. Without an account it does nothing.
  template <class Lookup = Key>
  void pardon(Lookup const& key) {
    auto const use = table_.find_for_certain(key, table_.hash_of(key));
    if (use) use.account().lift_ban();
  }

  /// The plan that the number has now, for the functions that take one: `charge(key, l.plan_at(2), 1, now)`. Number 0
  /// is that of `limiter_options::plan`, the others follow in the order of `more_plans`. Takes no lock. Throws
  /// std::out_of_range for any other number.
  [[nodiscard]] limits::plan plan_at(std::size_t number) const {
    if (number >= plans_.size()) throw std::out_of_range{"a limiter has no plan of that number"};
    return plans_.at(number);
  }

  /// Gives the number another plan while other threads charge. It takes what `plan::of` returns as it is. A charge that
  /// begins afterwards is decided under the new plan; one that runs meanwhile under the old or the new one, never under
  /// parts of both.
  ///
  /// Open periods stay open, and what was used stays used. A larger quota has more tokens at once. A smaller one
  /// refuses once as much is used, until the period ends. So a period admits at most the larger of both quotas. Used
  /// tokens stay used with continuous refill, too: when 90 of a burst of 100 are used and it becomes 10, there are none
  /// until 81 have come back. Another rate keeps the time at which the bucket is full.
  ///
  /// Errors: limiter_errc::unknown_plan, invalid_plan for nullopt and for a plan that is not sound, and
  /// too_many_plans; the plan stays as it was. Throws
  /// std::bad_alloc. The limiter keeps each different plan, 24 bytes, until it is destroyed, since a charge may be
  /// reading it: `plans_max` of them, 96 KiB, or those of the options if they are more. A plan that any number had
  /// before is always taken. A call looks through all of them, under a mutex that no charge takes.
  [[nodiscard]] std::error_code set_plan(std::size_t number, std::optional<limits::plan> const& fresh) {
    if (number >= plans_.size()) return limiter_errc::unknown_plan;
    if (!fresh || !fresh->is_sound()) return limiter_errc::invalid_plan;
    if (!plans_.set(number, *fresh)) return limiter_errc::too_many_plans;
    return {};
  }

  /// Takes effect from now on; concurrent charges may be decided either way. Strikes and bans count in shadow mode,
  /// too, although callers are told of no refusal, and bans hold from then on: so try limits with `no_bans`.
  void enforce(enforcement e) noexcept { is_shadow_.store(e == enforcement::shadow, std::memory_order_relaxed); }

  /// Returns every identity that has used something, with times that survive a reboot. Other threads may go on
  /// charging: each account is saved at one moment, but not all at the same moment. O(identities).
  [[nodiscard]] std::vector<saved_identity<Key>> snapshot(instant now) const {
    std::vector<saved_identity<Key>> all;
    table_.for_each(now, [&](Key const& key, account const& a) { all.push_back({key, a.save(plans_.at(0), now)}); });
    return all;
  }
  /// Returns how many were restored. An identity that already has an account keeps it; one that does not fit into the
  /// table is left out. Times that the wall clock cannot have shown are cut, as in `account::restore`: a period or a
  /// bucket to the time that it had left when it was saved, an aligned period of the long window likewise, and not
  /// before the present one of plan number 0, a wait to the longest of plan number 0 or to what its windows had left
  /// when it was saved, a ban for strikes to the longest one of this limiter's policy. A ban that strikes cannot have
  /// caused is an operator's and is not cut. No plan is needed for this, so identities that are charged under plans of
  /// their own are restored alike.
  std::size_t restore(std::span<saved_identity<Key> const> saved, instant now) {
    std::size_t restored = 0;
    for (auto const& one : saved)
      table_.find_or_make(one.key, table_.hash_of(one.key), now, [&](account& made) {
        made.restore(one.account, restored_under(one.account, now), longest_ban(one.account), now);
        ++restored;
      });
    return restored;
  }

  /// Any thread, O(1); numbers read during charges may be of slightly different moments.
  [[nodiscard]] limiter_figures figures() const noexcept {
    return {.identities = table_.size(),
            .evicted = table_.evicted(),
            .shared = shared_.load(std::memory_order_relaxed),
            .withheld = withheld_.load(std::memory_order_relaxed),
            .mistaken_refunds = mistaken_refunds_.load(std::memory_order_relaxed)};
  }

 private:
  static constexpr auto as_it_is = [](account&) noexcept {};

  /// The account that an identity is charged to.
  struct target {
    typename table::use own;  ///< none: the account is shared
    limits::account* account;
  };

  template <class Lookup>
  target target_of(Lookup const& key, instant now) {
    std::uint64_t const hash = table_.hash_of(key);
    auto use = table_.find(key, hash);
    if (!use) use = table_.find_or_make(key, hash, now, as_it_is);
    if (!use) return {{}, &table_.overflow_of(hash)};
    account& own = use.account();
    return {std::move(use), &own};
  }

  verdict charge_at(target const& at, plan const& p, cost tokens, instant now) noexcept {
    if (!at.own) shared_.fetch_add(1, std::memory_order_relaxed);
    verdict const v = as_enforced(at.account->charge(p, at.own ? options_.bans : no_bans, tokens, now));
    if (v.withheld != decision::observed) withheld_.fetch_add(1, std::memory_order_relaxed);
    return v;
  }

  /// `Verdict` is const or not: the account marks one that it can change.
  template <class Lookup, class Verdict>
  verdict refund_to(Lookup const& key, Verdict& charged, instant now) {
    std::uint64_t const hash = table_.hash_of(key);
    auto const use = table_.find_for_certain(key, hash);
    bool const kept_all = shared_.load(std::memory_order_relaxed) == 0 && table_.evicted() == 0;
    auto const which = kept_all ? charged_account::certain : charged_account::likely;
    account& payer = use ? use.account() : table_.overflow_of(hash);
    verdict const v = payer.refund(charged, charged.plan, now, which);
    if (v.occasion == occasion::mistaken_refund) mistaken_refunds_.fetch_add(1, std::memory_order_relaxed);
    return v;
  }

  /// Turns a refusal into an admission in shadow mode.
  verdict as_enforced(verdict v) const noexcept {
    if (!v.refused() || !is_shadow_.load(std::memory_order_relaxed)) return v;
    v.withheld = std::exchange(v.decision, decision::admitted);
    v.occasion = occasion::observation;  // nothing was taken, so there is nothing to refund
    return v;
  }

  /// An identity may have another long window than plan number 0. If its period ends later than that plan's present
  /// one, the plan says nothing of it.
  plan restored_under(saved_account const& saved, instant now) const {
    plan p = plans_.at(0);
    wall_time const present_end = p.long_window.period().end_after(now.wall);
    if (saved.long_end_unix_ms > present_end.time_since_epoch() / std::chrono::milliseconds{1}) p.long_window = {};
    return p;
  }

  /// A ban for strikes lasts, from the beginning of the latest one, no longer than the policy allows. The comparison of
  /// the two saved times is valid even if a wrong clock wrote them.
  ban_policy longest_ban(saved_account const& saved) const noexcept {
    ban_policy longest = options_.bans;
    std::int64_t const begun_ms = *std::ranges::max_element(saved.bans_begun_unix_ms);
    bool const may_be_for_strikes =
        begun_ms > 0 && std::max<std::int64_t>(0, saved.ban_until_unix_ms) - longest.max.count() <= begun_ms;
    if (!may_be_for_strikes) longest.max = operators_ban_max;
    return longest;
  }

  /// More than an account can store.
  static constexpr std::chrono::milliseconds operators_ban_max = std::chrono::years{35};

  limiter_options const options_;
  detail::numbered_plans plans_;
  std::atomic<bool> is_shadow_;
  table table_;
  std::atomic<std::uint64_t> shared_{0};
  std::atomic<std::uint64_t> withheld_{0};
  std::atomic<std::uint64_t> mistaken_refunds_{0};
};

}  // namespace petstore::limits
