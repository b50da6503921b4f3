// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "petstore/export.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/plan.hpp"
#include "petstore/limits/verdict.hpp"

namespace petstore::limits {

/// An account as it is written to disk: free of any clock that a reboot resets. Times are Unix milliseconds.
struct PETSTORE_EXPORT saved_account {
  std::int64_t minute_start_unix_ms = 0;              ///< periodic: when the open period began, 0 = none is open
  std::uint32_t minute_used = 0;                      ///< tokens
  std::int64_t full_at_unix_ms = 0;                   ///< continuous: when the bucket is full again, 0 = it is
  std::int64_t day = 0;                               ///< days since 1970-01-01
  std::uint64_t day_used = 0;                         ///< tokens
  std::int64_t announced_at_unix_ms = 0;              ///< when the client was told to wait; 0 = it is not waiting
  std::int64_t announced_until_unix_ms = 0;           ///< until when
  std::int64_t strikes_gone_at_unix_ms = 0;           ///< when the last of its strikes is forgotten, one a second
  std::int64_t ban_until_unix_ms = 0;                 ///< 0 = no ban
  std::array<std::int64_t, 12> bans_begun_unix_ms{};  ///< the latest ones, 0 = unused

  friend bool operator==(saved_account const&, saved_account const&) = default;
};

/// The limiter's state of one identity: its minute and day bucket, its penalty, and the small bucket of getQuota.
///
/// An admitted request takes what it costs of each quota, one token unless said otherwise; a refused one takes nothing
/// of either. The plan is an argument, so a
/// change of plan keeps what was used. Time is an argument; a clock that steps back grants nothing.
///
/// Thread safety: every member but `restore` and the destructor may be called from any thread at any time; none blocks.
/// The documentation's page on semantics has the arithmetic and the invariants.
class alignas(64) PETSTORE_EXPORT account {
 public:
  account() = default;
  ~account();
  account(account const&) = delete;
  account& operator=(account const&) = delete;

  /// One request: ban, then both quotas, then (of a refusal) the strike.
  verdict charge(plan const&, ban_policy const&, instant) noexcept;

  /// The same for what takes more than a token: as many of each quota, or none. What a quota can never hold is refused,
  /// and `verdict::can_ever_pass` says so. A refusal while tokens are left, but too few, is no strike.
  verdict charge(plan const&, ban_policy const&, cost, instant) noexcept;

  /// What `charge` would decide now, with the state as it is. Takes nothing and is no strike.
  verdict peek(plan const&, cost, instant) const noexcept;

  /// The state as it is, or the ban when one holds. Takes nothing.
  verdict observe(plan const&, instant) const noexcept;

  /// Gives back what `charged` took, as far as the periods it was taken from are still open, and returns the verdict
  /// to show instead: still admitted, with the state after the refund.
  verdict refund(verdict const& charged, plan const&, instant) noexcept;

  /// getQuota: has a limit of its own of 60 a minute, passes an empty quota, takes no token, makes no strike. The
  /// quotas in the verdict are the identity's; only `decision` and `retry_after_s` speak of the limit of its own. A ban
  /// holds here as elsewhere.
  verdict charge_inquiry(plan const&, instant) noexcept;

  /// An operator's ban, and its end (which also forgets the announcement, the strikes and the history of bans). A ban
  /// that lasts longer already stays as it is.
  void impose_ban(wall_time until, instant) noexcept;
  /// The end of any ban: what was announced, its strikes and earlier bans are forgotten with it.
  void lift_ban() noexcept;
  /// Whether a ban holds. One relaxed load.
  bool banned(instant) const noexcept;

  /// The wall clock was set since an operator's ban was imposed: it ends when `until` is by the clock of now. Any
  /// other ban stays as it is.
  void move_ban(wall_time until, instant imposed_at, instant now) noexcept;

  /// For a wall clock that has not been set for so long that it can be believed: a stored day after tomorrow, which was
  /// reached while the clock was wrong, becomes today with its count kept. Grants nothing by itself.
  void leave_wrong_day(plan const&, instant) noexcept;

  /// True when the account is as good as new at `instant`: both buckets full, no announcement, strike or ban. Such an
  /// account may be forgotten without granting a token. (What goes with it is how many bans there were in the last day;
  /// `remembers_bans` tells whether there were any.)
  bool forgettable(plan const&, instant) const noexcept;
  /// Whether a ban began in the 24 h before, which would make the next one longer.
  bool remembers_bans(instant) const noexcept;

  /// For persistence. `restore` is called before the account is shared. On load a minute period that would end more
  /// than one period from now is cut to one period from now, a stored day after today becomes today with its count
  /// kept (unless the wall clock has not been set yet, as it shows a time before 2026), and an announcement or ban that
  /// ends later than its longest possible end is cut to that.
  saved_account save(plan const&, instant) const noexcept;
  /// The way back; see `save`. The longest ban is the policy's: an operator's that is longer has to be imposed again,
  /// or restored by a policy that is as long.
  void restore(saved_account const&, plan const&, ban_policy const&, instant) noexcept;

 private:
  struct ban_history;
  template <class Account>
  class memory;

  // One cache line. Minute and day, the announcement's two words, and the ban's two are each swapped as 16 bytes, so
  // they must begin at a multiple of 16; the seventh word is getQuota's bucket. Written by any thread.
  std::array<std::atomic<std::uint64_t>, 7> words_{};
  // Made by the first ban that follows another one: most accounts never have one. Any thread; never replaced.
  std::atomic<ban_history*> history_{nullptr};
};

static_assert(sizeof(account) == 64);

}  // namespace petstore::limits
