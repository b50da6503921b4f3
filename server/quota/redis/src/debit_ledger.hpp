// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>

#include "acquisition.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/lease.hpp"
#include "share.hpp"

namespace petstore::quota {

/// The debits of this node in one quota: what it claims to have taken of the open periods, how many tokens it asks for,
/// and how an answer changes the lease. No I/O; time is an argument.
///
/// Not thread-safe: only the one call under way for this quota uses it.
class debit_ledger {
 public:
  /// A lease has as many tokens as the key uses in this time. Under continuous refill it may be used for this long
  /// after the question, otherwise until its period ends.
  static constexpr std::chrono::nanoseconds lease_life = std::chrono::seconds{1};
  /// The smallest lease, so that a key with few requests does not need a call for each.
  static constexpr std::uint32_t lease_min = 16;
  /// The node asks for more when this part of a lease is left: a tenth.
  static constexpr std::uint32_t ahead_part = 10;
  /// A node that has had no answer for longer begins a new generation, since the server may have forgotten it. If it
  /// holds tokens of a period that may still be open, the server remembers it, and its generation continues.
  static constexpr std::chrono::nanoseconds generation_life = std::chrono::minutes{2};
  /// If calls of the generation may have run without an answer, it continues for that long after the last of them: the
  /// server forgets no node earlier than five minutes after its last call.
  static constexpr std::chrono::nanoseconds unheard_life = std::chrono::minutes{4};
  /// How long a refusal is kept at most: while other nodes may give tokens back, and otherwise.
  static constexpr std::chrono::nanoseconds unsettled_refusal_max = std::chrono::milliseconds{1'100};
  static constexpr std::chrono::nanoseconds refusal_max = std::chrono::minutes{1};
  /// Continuous refill: how long a refusal is kept at least. Tokens come back one by one, and each would be a call.
  static constexpr std::chrono::nanoseconds refill_pause_min = std::chrono::milliseconds{100};
  /// When the server has lost its data, every node has claimed again after this time.
  static constexpr std::chrono::nanoseconds claims_wait = std::chrono::seconds{1};
  /// At a high rate, a lease is at most this many times as large as the one before.
  static constexpr std::uint32_t growth_max = 4;
  /// Clients are told one end of a short period, although each answer takes another time. When the answers differ from
  /// it by more than this, the server's clock was set, or runs at another rate, and the end follows it.
  static constexpr std::chrono::nanoseconds told_error_max = std::chrono::milliseconds{50};
  /// A period has ended on the server as well when it ended this long ago by the server's last answer.
  static constexpr std::chrono::microseconds surely_over = std::chrono::seconds{1};

  struct question {
    limits::plan plan{limits::per_minute(1)};
    std::uint32_t nodes = 1;
    std::uint32_t waiting = 0;   ///< tokens that the requests need which wait for the answer
    std::uint32_t cheapest = 1;  ///< tokens that the cheapest of them needs
    std::uint32_t dearest = 1;   ///< tokens that the most expensive one needs
    bool strict = false;         ///< asks for tokens of these requests only
    bool wants_tokens = false;   ///< asks for tokens, for these requests or in advance
    bool gives_back = false;     ///< gives unused tokens back
    bool never_banned = false;
    bool has_old_nodes = false;            ///< there are, or may be, nodes of version 1, which count under other names
    bool short_leases = false;             ///< there are such nodes; they neither receive nor publish recalls
    bool looks = false;                    ///< a request wants to know what is left
    std::chrono::nanoseconds patience{0};  ///< how long these requests wait for recalled tokens
    std::uint32_t strikes = 0;
    std::int64_t pardoned = 0;
    share::spending spent_alone{};  ///< what was admitted without the server since the last question
  };
  /// The next call of the script. `sequence` is larger than in every earlier call of this node.
  acquisition ask(limits::lease&, question const&, std::uint64_t sequence, limits::instant now);

  /// Installs an answer. The script ran at some moment between `sent` and `received`. Returns how many tokens of the
  /// earlier lease are dropped; the server learns of it with the next call.
  std::uint32_t answered(limits::lease&, acquisition const&, acquired const&, bool strict, limits::instant sent,
                         limits::instant received);
  /// The answer will not come, or will not be used.
  void lost() noexcept;
  /// The call has certainly not run and never will: the node still holds what the call was to give back.
  void not_run(limits::lease&, acquisition const&) noexcept;

  /// Whether this node must claim again because the server may have lost its data: the server has answered since
  /// `heard_since`, and this node has debits in an open period or keeps a refusal. A kept refusal then lasts until the
  /// other nodes have claimed, too.
  bool must_claim_again(limits::boot_time heard_since, limits::instant now) noexcept;

  /// Whether the server may believe that this node holds tokens. If so, this node answers recalls.
  bool may_hold(limits::lease const& lease) const noexcept { return told_held_ != 0 || lease.tokens() != 0; }
  /// Whether this node refuses by itself, without a call. If so, it calls when a recall says that tokens came back.
  bool keeps_refusal(limits::instant now) const noexcept { return refused_until_ > now.boot; }
  /// Whether it holds tokens that need a call of their own to go back: of a short-lived lease, the tokens left when it
  /// is over; otherwise, tokens that a refund brought and that the server does not know of.
  bool has_idle(limits::lease const&, limits::instant now) const noexcept;

  /// Whether `has_idle` is or may become true, or something is unsettled.
  bool needs_watching(limits::lease const& lease) const noexcept {
    return unsettled_ || (lease.tokens() != 0 && (is_short_lived_ || told_held_ == 0));
  }

  /// The number of unused tokens that the call under way gives back.
  std::uint32_t given_up() const noexcept { return given_up_; }
  /// Whether the server may count tokens that this node did not get, or may not count tokens that it used.
  bool is_unsettled() const noexcept { return unsettled_; }

 private:
  /// What this node has taken of the periods of one window.
  struct debits {
    period_count claim;     ///< of the server's period, in this generation, held tokens included
    period_count alone;     ///< what was admitted without the server, and is not known to it
    period_count replaced;  ///< the claim before the node began to claim a later period, until an answer
    period_count earlier;   ///< what earlier generations took of their last period
    std::int64_t told = 0;  ///< the end of the server's period, by its last answer

    void spend_alone(period_count spent, limits::period) noexcept;
    void claim_alone(period_count spent, limits::period, std::int64_t server_us) noexcept;
    void begin_generation() noexcept;
    void give_up(std::uint64_t tokens) noexcept;
    void hold_again(std::uint64_t tokens) noexcept;
    /// What an answer says of the server's period; `end` is 0 if none is open.
    struct acquired_period {
      std::int64_t end, now;
      std::uint32_t granted;
    };
    /// Returns whether there are tokens to claim that the server does not know of.
    bool answered(acquired_period, limits::period, std::uint32_t dropped, bool has_counted_earlier) noexcept;
    bool is_open(std::int64_t server_us) const noexcept;
  };

  /// The time by the server's clock, in us, as far as its last answer tells.
  std::int64_t server_us(limits::instant now) const noexcept {
    return (now.boot.time_since_epoch() + wall_minus_boot_) / std::chrono::microseconds{1};
  }
  void follow_clock(acquired const&, bool is_new_period, limits::instant sent, limits::instant received) noexcept;
  bool must_begin_generation(limits::instant now) const noexcept;
  std::uint32_t wanted(question const&, std::uint32_t tokens, limits::instant now) noexcept;
  void begin_generation(std::uint64_t number) noexcept;
  void give_up(std::uint32_t tokens) noexcept;

  std::uint64_t generation_ = 0;
  bool is_heard_ = false;  ///< whether the server has answered a call of this generation
  limits::boot_time heard_at_{};
  limits::boot_time asked_at_{};  ///< when the last call was made
  limits::boot_time lost_at_{};   ///< when the last call was made that may have run, and whose answer did not come
  bool unsettled_ = false;

  debits short_, long_;
  std::int64_t born_ = 0;       ///< since when the server counts, by its last answer
  std::uint32_t given_up_ = 0;  ///< tokens that the call under way gives back

  // The installed lease.
  limits::plan plan_{limits::per_minute(1)};
  limits::boot_time told_end_{};                 ///< the end of the short period as clients are told
  std::chrono::nanoseconds wall_minus_boot_{0};  ///< of the server's clock, for the times that clients are told
  std::int64_t full_at_ = 0;                     ///< continuous refill: when the bucket is full, by the server's clock
  std::int64_t mark_ = 0;        ///< continuous refill: when the bucket was to be full after the last grant
  std::uint32_t to_return_ = 0;  ///< continuous refill: tokens of that grant to return
  std::uint32_t granted_ = 0;    ///< tokens of the last grant
  std::uint32_t tokens_ = 0;     ///< its tokens right after it was installed
  std::uint32_t size_ = 0;       ///< its size as this node asked for it
  std::uint32_t told_held_ = 0;  ///< tokens that the server believes this node to hold, at most
  bool short_leases_ = false;    ///< `short_leases` of the last question
  bool is_short_lived_ = true;   ///< it may end before its period does
  limits::boot_time held_until_{};
  limits::boot_time installed_at_{};
  limits::boot_time refused_until_{};
  std::uint32_t refused_rest_ = 0;     ///< tokens that the server had left then
  limits::boot_time refuses_until_{};  ///< a kept refusal holds until then, because the server lacks the others' claims
};

}  // namespace petstore::quota
