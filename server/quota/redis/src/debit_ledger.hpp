// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>

#include "acquisition.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/lease.hpp"
#include "share.hpp"

namespace petstore::quota {

/// What this node and the server owe each other over one identity: what it claims to have taken of the open periods,
/// how many tokens it asks for, and what an answer makes of the lease. No I/O; time is an argument.
///
/// Not thread-safe: belongs to whoever has the one call under way that an identity may have.
class debit_ledger {
 public:
  /// A lease has as many tokens as the key uses in this time. Under continuous refill it is used for this long after it
  /// was asked for; else until its period ends.
  static constexpr std::chrono::nanoseconds lease_life = std::chrono::seconds{1};
  /// And so many at least: a key with few requests does not ask for each.
  static constexpr std::uint32_t lease_min = 16;
  /// More is asked for when what is left of a lease is used in this part of its life.
  static constexpr std::uint32_t ahead_part = 10;
  /// Who has not heard from the server for longer begins anew, as the server will have forgotten, unless it holds
  /// tokens of the day.
  static constexpr std::chrono::nanoseconds generation_life = std::chrono::minutes{2};
  /// A refusal is kept while other nodes may give tokens back, and at all.
  static constexpr std::chrono::nanoseconds unsettled_refusal_max = std::chrono::milliseconds{1'100};
  static constexpr std::chrono::nanoseconds refusal_max = std::chrono::minutes{1};
  /// Continuous refill: tokens come back one by one, and each would be a call.
  static constexpr std::chrono::nanoseconds refill_pause_min = std::chrono::milliseconds{100};
  /// When the server has lost what it was told, every node has told it again after so long.
  static constexpr std::chrono::nanoseconds claims_wait = std::chrono::seconds{1};
  /// How much more is asked for than last time, at most.
  static constexpr std::uint32_t growth_max = 4;

  struct question {
    limits::plan plan{.per_minute = 1};
    std::uint32_t nodes = 1;
    std::uint32_t waiting = 0;  ///< requests that wait for the answer
    bool strict = false;        ///< for these requests alone
    bool wants_tokens = false;  ///< for these requests, or ahead of need
    bool gives_back = false;    ///< unused tokens go back
    bool never_banned = false;
    bool has_old_nodes = false;            ///< that count in another way, or there may be some
    bool short_leases = false;             ///< for these: they hear and begin no recalls
    bool looks = false;                    ///< somebody wants to know what is left
    std::chrono::nanoseconds patience{0};  ///< for tokens that are recalled
    std::uint32_t strikes = 0;
    std::int64_t pardoned = 0;
    share::spending spent_alone{};  ///< admitted without asking since the last question
  };
  /// The call to make. `sequence` is larger than in any call before of this node.
  acquisition ask(limits::lease&, question const&, std::uint64_t sequence, limits::instant now);

  /// `sent` and `received` bracket the moment at which the script ran. Returns how many tokens of the lease before are
  /// given up; the server learns of it with the next call.
  std::uint32_t answered(limits::lease&, acquisition const&, acquired const&, bool strict, limits::instant sent,
                         limits::instant received);
  /// The answer will not come, or not be looked at when it does.
  void lost() noexcept;
  /// The call has surely not run, and will not: what it gave back is still held.
  void not_run(limits::lease&, acquisition const&) noexcept;

  /// The server may have lost what it was told. Whether it has to be told again, since something was taken of a period
  /// that runs, or a refusal is kept, and the server was heard since then. A refusal that is kept holds until the other
  /// nodes have told it as well.
  bool must_claim_again(limits::boot_time heard_since, limits::instant now) noexcept;

  /// The server may believe that tokens are held here: a recall is answered.
  bool may_hold(limits::lease const& lease) const noexcept { return told_held_ != 0 || lease.tokens() != 0; }
  /// Whether tokens lie here that go back with a call of their own: under continuous refill and one by one those whose
  /// lease is over, else those that the server does not know of, as a refund brought them.
  bool has_idle(limits::lease const&, limits::instant now) const noexcept;

  /// Whether there is or may be such, or something is unsettled.
  bool needs_attention(limits::lease const& lease) const noexcept {
    return unsettled_ || (lease.tokens() != 0 && (is_short_lived_ || told_held_ == 0));
  }

  /// How many unused tokens the call under way gives back.
  std::uint32_t given_up() const noexcept { return given_up_; }
  /// Whether the server may count what this node has not got, or not count what it has spent.
  bool is_unsettled() const noexcept { return unsettled_; }

 private:
  std::uint32_t wanted(question const&, std::uint32_t tokens, limits::instant now) noexcept;
  void begin_generation(std::uint64_t number) noexcept;
  void give_up(std::uint32_t tokens) noexcept;
  void add_spent_alone(share::spending const&) noexcept;

  std::uint64_t generation_ = 0;
  bool is_heard_ = false;  ///< the server has answered to this generation
  limits::boot_time heard_at_{};
  bool unsettled_ = false;

  // What was taken, by the server's periods; held tokens included.
  std::int64_t minute_ = 0;
  std::uint64_t minute_count_ = 0;
  std::int64_t day_ = 0;
  std::uint64_t day_count_ = 0;
  share::spending alone_;       ///< of these, what the server has never been told
  share::spending earlier_;     ///< what generations before this one took of their last day
  std::int64_t born_ = 0;       ///< since when the server counts, as it said last
  std::uint32_t given_up_ = 0;  ///< with the call under way

  // Of the lease that is installed.
  limits::plan plan_{.per_minute = 1};
  limits::boot_time told_end_{};  ///< how clients were told that the minute's period ends: that stays
  std::chrono::nanoseconds wall_minus_boot_{0};
  std::int64_t full_at_ = 0;     ///< continuous refill: when the bucket is full, by the server's clock
  std::int64_t mark_ = 0;        ///< continuous refill: when the bucket was to be full after the last grant
  std::uint32_t to_return_ = 0;  ///< continuous refill: tokens of that grant given up
  std::uint32_t granted_ = 0;    ///< by the last grant
  std::uint32_t tokens_ = 0;     ///< right after it was installed
  std::uint32_t size_ = 0;       ///< that was asked for last
  std::uint32_t told_held_ = 0;  ///< tokens that the server believes to be here, at most
  bool short_leases_ = false;    ///< asked for last
  bool is_short_lived_ = true;   ///< its tokens are over before their period is
  limits::boot_time held_until_{};
  limits::boot_time installed_at_{};
  limits::boot_time refused_until_{};
  limits::boot_time refuses_until_{};  ///< whatever the server says meanwhile: it lacks what other nodes took
};

}  // namespace petstore::quota
