// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "petstore/export.hpp"
#include "petstore/limits/account.hpp"
#include "petstore/limits/cost.hpp"
#include "petstore/limits/detail/identity_table.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/plan.hpp"
#include "petstore/limits/reservation.hpp"
#include "petstore/limits/verdict.hpp"

namespace petstore::limits {

/// What becomes of a refusal.
enum class enforcement : std::uint8_t {
  enforced,  ///< the verdict says so
  shadow,    ///< every refusal is decided, counted and noted in `verdict::withheld`, and admitted all the same
};

/// What a limiter is made with.
struct PETSTORE_EXPORT limiter_options {
  limits::plan plan;                    ///< of identities that are charged without a plan of their own
  ban_policy bans = no_bans;            ///< for those who ignore refusals
  std::size_t identities_max = 65'536;  ///< 1 .. 2^28, rounded up to a power of two; 128 bytes or more each, at once
  limits::enforcement enforcement = enforcement::enforced;  ///< may be changed while it runs: `limiter::enforce`
};

/// Counted since the limiter was made, except `identities`.
struct PETSTORE_EXPORT limiter_figures {
  std::size_t identities = 0;  ///< that have an account of their own now
  std::uint64_t evicted = 0;   ///< forgotten to make room: they had used nothing of what is open
  std::uint64_t shared = 0;    ///< decisions on an account that others share, as there was no room
  std::uint64_t withheld = 0;  ///< refusals that shadow mode did not carry out
};

/// One identity between two runs of a program.
template <class Key>
struct saved_identity {
  Key key;                ///< copied from the table
  saved_account account;  ///< what it had used, and its ban
};

/// Who may pass, for any kind of identity: customers, players, addresses, queues. Each has an account (account.hpp) in
/// a table of bounded size, and gets a verdict (verdict.hpp) from which `tell` (notice.hpp) and `append_headers`
/// (headers.hpp) make all that a client is told. Time is an argument; `limits::now()` reads it.
///
///     limits::limiter<std::string> quota({.plan = {.per_minute = 60, .per_day = 1'000}});
///     if (!quota.charge(customer, limits::now()).admitted()) …
///
/// When the table is full, a new identity takes the place of one that is as good as new (full buckets, no refusal to be
/// heeded, no ban, not in use), so that eviction never grants a token. Where none such is found among 8, the newcomer
/// shares one of 256 accounts with others that found no room; those are never banned, and not saved. An identity that
/// comes from there to an account of its own begins with a full one.
///
/// `Key` is copyable, is moved without throwing and points to nothing that others own. `Hash` and `Equal` are any that
/// agree, also transparent ones, which let a std::string be found by a std::string_view. At most 32 keys of one hash
/// chain are kept; keys that clients choose deserve a hash with a secret all the same.
///
/// Thread safety: every member from any thread at any time, but for construction and destruction. To decide for an
/// identity that has an account takes no lock: O(1), two atomic additions and the account's swap. A new identity takes
/// a mutex that is shared with a 64th of the others. What throws is copying keys (bad_alloc, before anything is taken),
/// and hashing and comparing them.
template <class Key, class Hash = std::hash<Key>, class Equal = std::equal_to<Key>>
class limiter {
  using table = detail::identity_table<Key, Hash, Equal>;

 public:
  /// Allocates the whole table. Throws std::bad_alloc; a number of identities outside the range counts as the nearest.
  explicit limiter(limiter_options const& options, Hash hash = {}, Equal equal = {})
      : options_{options},
        is_shadow_{options.enforcement == enforcement::shadow},
        table_(options.identities_max, std::move(hash), std::move(equal)) {}

  /// Takes one token of each quota, or nothing.
  template <class Lookup = Key>
  verdict charge(Lookup const& key, instant now) {
    return charge(key, options_.plan, 1, now);
  }
  /// Takes `tokens` of each quota, or nothing.
  template <class Lookup = Key>
  verdict charge(Lookup const& key, cost tokens, instant now) {
    return charge(key, options_.plan, tokens, now);
  }
  /// The same under a plan of the identity's own. It may change from one call to the next: what was used stays used.
  template <class Lookup = Key>
  verdict charge(Lookup const& key, plan const& p, cost tokens, instant now) {
    place const at = place_of(key, now);
    return charge_at(at, p, tokens, now);
  }

  /// What `charge` would decide now, in shadow mode too. Takes nothing, makes no entry, counts nothing. An identity
  /// that has none is shown as new, or, where there is no room for it, as those are with whom it would share an
  /// account.
  template <class Lookup = Key>
  verdict peek(Lookup const& key, cost tokens, instant now) const {
    return peek(key, options_.plan, tokens, now);
  }
  /// The same under a plan of the identity's own.
  template <class Lookup = Key>
  verdict peek(Lookup const& key, plan const& p, cost tokens, instant now) const {
    std::uint64_t const hash = table_.hash_of(key);
    if (auto const use = table_.find_for_certain(key, hash)) return as_enforced(use.account().peek(p, tokens, now));
    if (table_.has_room_for(key, hash, now)) return as_enforced(account{}.peek(p, tokens, now));
    return as_enforced(table_.overflow_of(hash).peek(p, tokens, now));
  }

  /// Gives back what `charged` took, as far as the minute and the day that it was taken from are still open, and never
  /// more than is used. Once for each verdict. Returns the state after that.
  template <class Lookup = Key>
  verdict refund(Lookup const& key, verdict const& charged, instant now) {
    std::uint64_t const hash = table_.hash_of(key);
    auto const use = table_.find_for_certain(key, hash);
    return (use ? use.account() : table_.overflow_of(hash)).refund(charged, charged.plan, now);
  }

  /// What `reserve` returns, for a session to keep: `std::optional<limiter<Key>::reservation_type<>>`, filled by
  /// `emplace`.
  template <class Clock = instant (*)() noexcept>
  using reservation_type = reservation<typename table::use, Clock>;

  /// Charges, and gives back when what is returned goes without `commit`; `clock` says when that is, so it is called
  /// once now and at most once later. Unless told otherwise it is `limits::now`, the clocks of the machine: who passes
  /// times of his own elsewhere passes his clock here. When it throws, nothing is taken.
  template <class Lookup = Key, std::invocable Clock = instant (*)() noexcept>
  reservation_type<Clock> reserve(Lookup const& key, plan const& p, cost tokens, Clock clock = &limits::now) {
    instant const now = clock();
    place at = place_of(key, now);
    verdict const v = charge_at(at, p, tokens, now);
    return reservation_type<Clock>(std::move(at.own), *at.account, v, std::move(clock));
  }
  /// The same under the limiter's plan.
  template <class Lookup = Key, std::invocable Clock = instant (*)() noexcept>
  reservation_type<Clock> reserve(Lookup const& key, cost tokens, Clock clock = &limits::now) {
    return reserve(key, options_.plan, tokens, std::move(clock));
  }

  /// An operator's ban, and its end, which also forgives earlier bans. One that lasts longer already stays. False:
  /// there is no room for the identity, and nothing was done.
  template <class Lookup = Key>
  bool ban(Lookup const& key, wall_time until, instant now) {
    auto const use = table_.find_or_make(key, table_.hash_of(key), now, as_it_is);
    if (use) use.account().impose_ban(until, now);
    return static_cast<bool>(use);
  }
  /// Ends any ban of that identity and forgives earlier ones. Without an account it does nothing.
  template <class Lookup = Key>
  void pardon(Lookup const& key) {
    auto const use = table_.find_for_certain(key, table_.hash_of(key));
    if (use) use.account().lift_ban();
  }

  /// From now on; what is charged at the same time may be decided either way.
  void enforce(enforcement e) noexcept { is_shadow_.store(e == enforcement::shadow, std::memory_order_relaxed); }

  /// Every identity that has used something, with times that outlast a reboot. Others may go on charging: each account
  /// is saved as it was at one moment, not all at the same one. O(identities).
  std::vector<saved_identity<Key>> snapshot(instant now) const {
    std::vector<saved_identity<Key>> all;
    table_.for_each(now, [&](Key const& key, account const& a) { all.push_back({key, a.save(options_.plan, now)}); });
    return all;
  }
  /// Returns how many were restored: an identity that has an account already keeps it, and one without room is left
  /// out. What the wall clock of then cannot have shown is cut, as `account::restore` does: a minute to a minute from
  /// now, a wait to a day, a ban for strikes to the longest of this limiter's policy. A ban that strikes cannot have
  /// brought is an operator's and stays as long as it is.
  std::size_t restore(std::span<saved_identity<Key> const> saved, instant now) {
    std::size_t restored = 0;
    for (auto const& one : saved)
      table_.find_or_make(one.key, table_.hash_of(one.key), now, [&](account& made) {
        made.restore(one.account, longest_plan(), longest_ban(one.account), now);
        ++restored;
      });
    return restored;
  }

  /// Any thread, O(1); numbers that are read while others charge may be of slightly different moments.
  limiter_figures figures() const noexcept {
    return {.identities = table_.size(),
            .evicted = table_.evicted(),
            .shared = shared_.load(std::memory_order_relaxed),
            .withheld = withheld_.load(std::memory_order_relaxed)};
  }

 private:
  static constexpr auto as_it_is = [](account&) noexcept {};

  /// Whom an identity is charged to.
  struct place {
    typename table::use own;  ///< none: the account is shared
    limits::account* account;
  };

  template <class Lookup>
  place place_of(Lookup const& key, instant now) {
    std::uint64_t const hash = table_.hash_of(key);
    auto use = table_.find(key, hash);
    if (!use) use = table_.find_or_make(key, hash, now, as_it_is);
    if (!use) return {{}, &table_.overflow_of(hash)};
    account& own = use.account();
    return {std::move(use), &own};
  }

  verdict charge_at(place const& at, plan const& p, cost tokens, instant now) noexcept {
    if (!at.own) shared_.fetch_add(1, std::memory_order_relaxed);
    verdict const v = as_enforced(at.account->charge(p, at.own ? options_.bans : no_bans, tokens, now));
    if (v.withheld != decision::observed) withheld_.fetch_add(1, std::memory_order_relaxed);
    return v;
  }

  /// A refusal is withheld in shadow mode.
  verdict as_enforced(verdict v) const noexcept {
    if (!v.refused() || !is_shadow_.load(std::memory_order_relaxed)) return v;
    v.withheld = std::exchange(v.decision, decision::admitted);
    v.occasion = occasion::observation;  // nothing was taken: there is nothing to refund
    return v;
  }

  /// An announcement of a plan with a day lasts longest; identities may have plans that this limiter has not seen yet.
  static constexpr plan longest_plan() noexcept { return {.per_minute = 1, .per_day = 1}; }

  /// A ban for strikes ends no later after the beginning of the latest one than the policy says. Compared with each
  /// other, the two times tell so even when a wrong clock wrote them.
  ban_policy longest_ban(saved_account const& saved) const noexcept {
    ban_policy longest = options_.bans;
    std::int64_t const begun_ms = *std::ranges::max_element(saved.bans_begun_unix_ms);
    bool const may_be_for_strikes =
        begun_ms > 0 && std::max<std::int64_t>(0, saved.ban_until_unix_ms) - longest.max.count() <= begun_ms;
    if (!may_be_for_strikes) longest.max = operators_ban_max;
    return longest;
  }

  /// More than an account can count.
  static constexpr std::chrono::milliseconds operators_ban_max = std::chrono::years{35};

  limiter_options const options_;
  std::atomic<bool> is_shadow_;
  table table_;
  std::atomic<std::uint64_t> shared_{0};
  std::atomic<std::uint64_t> withheld_{0};
};

}  // namespace petstore::limits
