// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "petstore/export.hpp"
#include "petstore/limits/detail/ban_rules.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/plan.hpp"
#include "petstore/limits/verdict.hpp"

namespace petstore::limits {

/// Whether the account that a refund names is the one that was charged.
enum class charged_account : std::uint8_t {
  certain,  ///< it is, so a verdict that does not fit to it is a mistake
  likely,   ///< a table may have charged another account, so such a verdict is no mistake
};

/// An account in the form that is written to disk: independent of a clock that a reboot resets. Times are Unix
/// milliseconds.
struct PETSTORE_EXPORT saved_account {
  std::int64_t short_end_unix_ms = 0;        ///< periodic: when the open period ends; 0: no period is open
  std::uint32_t short_used = 0;              ///< tokens
  std::int64_t full_at_unix_ms = 0;          ///< continuous: when the bucket is full again; 0: it is full
  std::int64_t short_left_ms = 0;            ///< how far away the end or `full_at` was when it was saved; 0: unknown
  std::int64_t long_end_unix_ms = 0;         ///< when the open period of the long window ends; 0: no period is open
  std::int64_t long_left_ms = 0;             ///< how far away that was when it was saved; 0: unknown
  bool long_is_aligned = true;               ///< whether that period is aligned to UTC, or begun by a request
  std::uint64_t long_used = 0;               ///< tokens
  std::int64_t announced_at_unix_ms = 0;     ///< when the client was asked to wait; 0: it is not waiting
  std::int64_t announced_until_unix_ms = 0;  ///< the end of that wait
  std::int64_t strikes_gone_at_unix_ms = 0;  ///< when its last strike is forgotten; one is forgotten each second
  std::int64_t ban_until_unix_ms = 0;        ///< 0: no ban
  std::array<std::int64_t, detail::bans_remembered> bans_begun_unix_ms{};  ///< the latest ones; 0: unused

  friend bool operator==(saved_account const&, saved_account const&) = default;
};

/// The limiter's state of one identity: the buckets of its two windows, its penalty, and the small bucket of getQuota.
///
/// An admitted request takes its cost from each quota, one token by default; a refused request takes nothing. The plan
/// is an argument, so the used part of the quotas stays used after a change of plan. Time is an argument; a clock that
/// steps back grants nothing.
///
/// Thread safety: every member except `restore` and the destructor may be called from any thread at any time; none
/// blocks. The documentation's page on semantics has the arithmetic and the invariants.
class alignas(64) PETSTORE_EXPORT account {
 public:
  account() = default;
  ~account();
  account(account const&) = delete;
  account& operator=(account const&) = delete;

  /// Charges one request: checks the ban, then both quotas; a refusal may be a strike.
  [[nodiscard]] verdict charge(plan const&, ban_policy const&, instant) noexcept;

  /// The same for more than one token: takes `cost` from each quota, or nothing. A cost above the size of a quota is
  /// always refused, and `verdict::can_ever_pass` says so. Such a refusal announces nothing. One while there are
  /// tokens, but too few, is not a strike.
  [[nodiscard]] verdict charge(plan const&, ban_policy const&, cost, instant) noexcept;

  /// Returns what `charge` would decide now. Takes nothing and is not a strike.
  [[nodiscard]] verdict peek(plan const&, cost, instant) const noexcept;

  /// Returns the current state, or the current ban. Takes nothing.
  [[nodiscard]] verdict observe(plan const&, instant) const noexcept;

  /// Gives back what `charged` took, if the periods that it was taken from are still open. Returns the verdict to show
  /// instead: still admitted, with the state after the refund.
  ///
  /// A mistake gives nothing back, fails an assertion in a debug build of this library, and returns a verdict with
  /// occasion::mistaken_refund and the present state. These are mistakes:
  ///  - a verdict that took nothing: a refusal, or what `observe`, `peek`, `charge_inquiry` or a refund returned. (One
  ///    that shadow mode admitted took nothing either, but looks like an admission; it is no mistake.)
  ///  - a verdict whose tokens this account does not count, although their period is open: of another account, or given
  ///    back already. An account has no list of its charges. So a copy that is given back twice, or a verdict of
  ///    another account, is not noticed while this account counts as many tokens of other charges in the same period
  ///    (of another account: one that ends at the same millisecond). With continuous refill the short window
  ///    shows it only in an account that was never charged; the long one shows it as usual.
  /// If the refill or the period of the short window changes between a charge and its refund, the refund may be taken
  /// for a mistake. No other refund that is the first of its charge is.
  verdict refund(verdict const& charged, plan const&, instant, charged_account = charged_account::certain) noexcept;
  /// The same, and marks `charged` as given back, so that a second refund of this variable is always noticed.
  verdict refund(verdict& charged, plan const&, instant, charged_account = charged_account::certain) noexcept;

  /// Charges a request of getQuota. It has a limit of its own of 60 a minute, passes an empty quota, takes no token and
  /// makes no strike. The quotas in the verdict are the identity's; only `decision` and `retry_after_s` are about its
  /// own limit. A ban applies as for other requests.
  [[nodiscard]] verdict charge_inquiry(plan const&, instant) noexcept;

  /// Imposes an operator's ban. A ban that already lasts longer does not change.
  void impose_ban(wall_time until, instant) noexcept;
  /// Ends any ban, and forgets the announcement, the strikes and the earlier bans.
  void lift_ban() noexcept;
  /// Whether there is a ban. One relaxed load.
  [[nodiscard]] bool banned(instant) const noexcept;

  /// Moves an operator's ban after the wall clock was set: it then ends at `until` by the clock of now. Any other ban
  /// does not change.
  void move_ban(wall_time until, instant imposed_at, instant now) noexcept;

  /// Corrects a period of the long window that lies ahead, beyond the next one: it was written while the wall clock was
  /// wrong, and becomes the present period, with its count. Call it when the wall clock has not been set for so long
  /// that it can be trusted. It grants nothing by itself.
  void leave_wrong_period(plan const&, instant) noexcept;

  /// Whether the account equals a new one at `instant`: both buckets full, no announcement, strike or ban. Such an
  /// account may be removed without granting a token. (Its number of bans in the last day is lost with it;
  /// `remembers_bans` returns whether there were any.)
  [[nodiscard]] bool forgettable(plan const&, instant) const noexcept;
  /// The same under every plan: no token is in use in any window, even in one that its present plan does not have.
  [[nodiscard]] bool forgettable(instant) const noexcept;
  /// Whether a ban began in the 24 h before, which would make the next one longer.
  [[nodiscard]] bool remembers_bans(instant) const noexcept;

  /// For persistence. Call `restore` before the account is shared. It limits the loaded times. A period that
  /// began with a request, or a bucket, ends at most as long from now as it did when it was saved (if that is unknown,
  /// as the plan's does). An aligned period of the long window that lies ahead of the plan's present one ends with
  /// that, and keeps its count (unless the wall clock has not been set yet, that is, it shows a time before 2026). A
  /// wait is at most as long as the plan's longest, or as the longer window had left when it was saved, and a ban at
  /// most as long as the policy's longest.
  [[nodiscard]] saved_account save(plan const&, instant) const noexcept;
  /// The inverse of `save`. The longest ban is that of the policy; impose a longer ban by an operator again, or restore
  /// with a policy that is as long.
  void restore(saved_account const&, plan const&, ban_policy const&, instant) noexcept;

 private:
  struct ban_history;
  template <class Account>
  class memory;

  // One cache line. The words of the two windows, of the announcement, and of the ban are each swapped as 16 bytes, so
  // they must begin at a multiple of 16. The seventh word is getQuota's bucket. Written by any thread.
  std::array<std::atomic<std::uint64_t>, 7> words_{};
  // Allocated by the first ban that follows another one; most accounts never have it. Any thread; never replaced.
  std::atomic<ban_history*> history_{nullptr};
};

static_assert(sizeof(account) == 64);

}  // namespace petstore::limits
