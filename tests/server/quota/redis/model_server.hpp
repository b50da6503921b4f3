// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "acquisition.hpp"

namespace petstore::quota {

/// What acquire.lua does to one key, written down in C++ once more: the script is held against it, and the simulator
/// runs on it. A value: a copy of it is what a replica has.
class model_key {
 public:
  /// A mistake on purpose, for tests that must see it.
  bool ignores_sequences = false;

  /// nullopt: overtaken by a later call of the same node.
  std::optional<acquired> acquire(int node, acquisition const& a, limits::ban_policy const& policy, std::int64_t now) {
    is_recall_ = false;
    claim known = claims_[node];
    if (a.sequence <= known.sequence && !ignores_sequences) return std::nullopt;
    if (born_ == 0) born_ = now;
    bool const has_forgotten = a.born != 0 && a.born != born_;
    if (known.generation != a.generation && !has_forgotten) known.short_count = known.long_count = 0;

    bool const continuous = a.plan.short_refill == limits::refill::continuous;
    std::int64_t const quota = a.plan.short_window.tokens();
    std::int64_t const long_quota = static_cast<std::int64_t>(a.plan.long_window.tokens());
    std::int64_t const interval = (us_of(a.plan.short_window.period().longest()) * 1'000 + quota - 1) / quota;
    std::int64_t const short_before = short_.end, long_before = long_.end;
    bool const is_for_request = a.want > 0 || a.looks;
    forget_what_is_over(a.plan, now, is_for_request);
    if (recalled_at_ > now) recalled_at_ = 0;
    if (announced_at_ > now) announced_at_ = announced_until_ = 0;
    if (strikes_gone_at_ > now + policy.strikes * strike_length) strikes_gone_at_ = 0;
    ban_until_ = std::min(ban_until_, now + policy.max.count() * 1'000);
    if (short_.end != short_before) known.short_count = 0;
    if (long_.end != long_before) known.long_count = 0;
    std::int64_t owed = (full_at_ - now) * 1'000 + full_at_ns_;
    if (has_forgotten) owed = std::max(owed, (a.full_at - now) * 1'000);
    owed = std::max<std::int64_t>(owed, 0);
    if (is_for_request) owed = std::min(owed, quota * interval);

    // `owed` has what others took of a period that refills continuously now.
    bool const ignores_short = continuous && short_.end == 0;
    claims of_short{{a.short_end, counted(a.short_count)}, {a.earlier_short_end, counted(a.earlier_short_count)}};
    if (!has_forgotten) of_short.earlier = {};
    if (ignores_short) of_short = {};
    std::int64_t short_count = short_.take(of_short, known.short_count, now, false);
    claims of_long{{a.long_end, counted(a.long_count)}, {a.earlier_long_end, counted(a.earlier_long_count)}};
    if (!has_forgotten) of_long.earlier = {};
    std::int64_t long_count = long_.take(of_long, known.long_count, now, is_aligned(a.plan));
    if (a.returned_ns > 0 && a.returned_mark > now)
      owed = std::max<std::int64_t>(0, owed - std::min(a.returned_ns, (a.returned_mark - now) * 1'000));
    if (is_for_request && continuous && short_.used > 0) {
      owed = std::min(std::max(owed, short_.used * interval), quota * interval);
      short_.end = short_.used = short_count = 0;
    } else if (is_for_request && !continuous && owed > 0) {
      if (short_.end == 0) short_.end = short_.new_end;
      short_.used = std::max(short_.used, (owed + interval - 1) / interval);
      owed = 0;
    }
    std::int64_t const second = now / 1'000'000;
    tidy(node, short_.end != short_before, long_.end != long_before, continuous, known.heard_s, second);
    bool const begins_ban = judge_strikes(a, policy, now);

    std::int64_t const short_left = continuous ? (quota * interval - owed) / interval : quota - short_.used;
    std::int64_t left = short_left;
    if (long_quota > 0) left = std::min(left, long_quota - long_.used);
    std::int64_t granted = 0;
    bool const is_banned = ban_until_ > now && !a.never_banned;
    if (a.want > 0 && left > 0 && left >= a.cheapest && !is_banned) {
      std::int64_t const nodes = std::max<std::int64_t>(1, a.nodes);
      granted = std::min<std::int64_t>({a.want, left, std::max<std::int64_t>({1, a.waiting, left / (2 * nodes)})});
      if (continuous) {
        owed += granted * interval;
      } else {
        short_.grant(granted);
        short_count += granted;
      }
      if (long_quota > 0) long_.grant(granted), long_count += granted;
    }
    bool const is_short = a.waiting > granted && !is_banned;
    if (left - granted > 0 && announced_until_ > now) {
      announced_at_ = announced_until_ = 0;
      is_recall_ = true;
    }
    quota::holders found = holders::none;
    if (is_short || begins_ban || a.looks) found = recall_from_others(node, a.patience, now);
    if (now - recalled_at_ > 1'000'000) recalled_at_ = 0;
    if (is_short && left - granted <= 0 && found != holders::recalled && now >= announced_until_) {
      std::int64_t free_at = now;
      if (short_left - granted <= 0)
        free_at = continuous ? now + (owed - (quota - 1) * interval + 999) / 1'000 : short_.end;
      if (long_quota > 0 && long_quota <= long_.used) free_at = std::max(free_at, long_.end);
      announced_at_ = now;
      announced_until_ = free_at;
    }
    full_at_ = owed > 0 ? now + owed / 1'000 : 0;
    full_at_ns_ = owed % 1'000;
    std::int64_t const held =
        a.held + (granted >= a.waiting ? granted - a.waiting : std::min<std::int64_t>(granted, a.dearest - 1));
    claims_[node] = {a.generation, a.sequence, short_count, long_count, std::min<std::int64_t>(held, 16'777'215),
                     false,        second};
    return acquired{.now = now,
                    .granted = static_cast<std::uint32_t>(granted),
                    .short_end = short_.end,
                    .short_used = static_cast<std::uint64_t>(short_.used),
                    .long_end = long_.end,
                    .long_used = static_cast<std::uint64_t>(long_.used),
                    .full_at = now + owed / 1'000,
                    .full_at_ns = full_at_ns_,
                    .announced_at = announced_at_,
                    .announced_until = announced_until_,
                    .ban_until = ban_until_,
                    .ban_begun = bans_.empty() ? 0 : bans_.back(),
                    .holders = found,
                    .born = born_};
  }

  /// Whether the last call published a recall.
  bool is_recall() const { return is_recall_; }
  std::size_t node_count() const { return claims_.size(); }

  /// The server has let the key go by then.
  bool says_nothing(std::int64_t now) const {
    std::int64_t until = std::max({short_.end, full_at_, announced_until_, strikes_gone_at_, ban_until_});
    if (long_.used > 0) until = std::max(until, long_.end);
    if (!bans_.empty()) until = std::max(until, bans_.back() + day_length);
    return now > until + 5'000'000;
  }

 private:
  static constexpr std::int64_t day_length = 86'400'000'000;
  static constexpr std::int64_t strike_length = 1'000'000;
  static constexpr std::size_t bans_remembered = 12;

  struct claim {
    std::uint64_t generation = 0;
    std::uint64_t sequence = 0;
    std::int64_t short_count = 0;  ///< of the periods that the key is in
    std::int64_t long_count = 0;
    std::int64_t held = 0;  ///< at most
    bool is_recalled = false;
    std::int64_t heard_s = 0;
  };

  static std::int64_t counted(std::uint64_t n) { return static_cast<std::int64_t>(n); }
  static std::int64_t us_of(std::chrono::microseconds t) { return t.count(); }
  static std::int64_t end_from(limits::period p, std::int64_t now) {
    return p.end_after(limits::wall_time{std::chrono::microseconds{now}}).time_since_epoch() /
           std::chrono::microseconds{1};
  }

  struct claimed_count {
    std::int64_t end = 0, count = 0;
  };
  struct claims {
    claimed_count of_generation, earlier;
  };
  struct window {
    std::int64_t end = 0, used = 0;
    std::int64_t new_end = 0, latest_end = 0;  ///< of the call that is being worked on

    /// What of it goes into the caller's record.
    std::int64_t take(claims c, std::int64_t known, std::int64_t now, bool is_exact) {
      auto const counts = [&](claimed_count const& one) {
        return is_exact ? one.end == end : one.end > now && one.end <= latest_end;
      };
      for (auto* one : {&c.of_generation, &c.earlier})
        if (!counts(*one)) *one = {};
      if (end == 0) end = std::max(c.of_generation.end, c.earlier.end);
      std::int64_t recorded = 0;
      used -= known;
      for (auto const& one : {c.of_generation, c.earlier}) {
        used += one.count;
        if (one.end == end) recorded += one.count;
      }
      used = std::max<std::int64_t>(0, used);
      return recorded;
    }
    void grant(std::int64_t tokens) {
      if (end == 0) end = new_end;
      used += tokens;
    }
    /// Cuts a period that is too far ahead, and ends one that is over.
    void move_to(limits::period p, std::int64_t now, std::int64_t first_end, bool keeps_ahead = false) {
      new_end = first_end;
      latest_end = p.is_aligned() ? new_end + us_of(p.longest()) : new_end;
      if (end > latest_end && !keeps_ahead) end = new_end;
      if (end <= now) end = used = 0;
    }
  };

  /// Without a long window, there are days.
  static bool is_aligned(limits::plan const& p) { return !p.long_window || p.long_window.is_aligned(); }

  void forget_what_is_over(limits::plan const& p, std::int64_t now, bool is_for_request) {
    limits::period const shorter = p.short_window.period();
    short_.move_to(shorter, now, end_from(shorter, now), !is_for_request);
    limits::period const longer = p.long_window ? p.long_window.period() : limits::per_day(1).period;
    std::int64_t const end = end_from(longer, now);
    long_.move_to(longer, now, longer.is_aligned() ? end : (end + 999'999) / 1'000'000 * 1'000'000,
                  !p.long_window || !is_for_request);
    if (long_.end == 0 && longer.is_aligned()) long_.end = end;
  }

  /// Once a minute, and when a period ends.
  void tidy(int caller, bool is_new_short, bool is_new_long, bool continuous, std::int64_t caller_heard_s,
            std::int64_t second) {
    if (!is_new_short && !is_new_long && caller_heard_s / 60 == second / 60) return;
    for (auto place = claims_.begin(); place != claims_.end();) {
      auto& [node, c] = *place;
      if (node == caller) {
        ++place;
        continue;
      }
      if (is_new_short) c.short_count = 0;
      if (is_new_long) c.long_count = 0;
      bool const has_taken = c.short_count > 0 || c.long_count > 0;
      if (!has_taken && !continuous) c.held = 0;
      bool is_kept = c.heard_s >= second - 300 || (c.held > 0 && has_taken);
      if (!is_kept && has_taken && !c.is_recalled) {
        is_kept = c.is_recalled = true;
        c.heard_s = second;
      }
      place = is_kept ? std::next(place) : claims_.erase(place);
    }
  }

  quota::holders recall_from_others(int caller, std::int64_t patience, std::int64_t now) {
    auto found = holders::none;
    bool has_marked = false;
    for (auto& [node, c] : claims_) {
      if (node == caller || c.held == 0) continue;
      found = holders::silent;
      has_marked = has_marked || !c.is_recalled;
      c.is_recalled = true;
    }
    is_recall_ = is_recall_ || has_marked;
    if (has_marked) recalled_at_ = now;
    return found == holders::silent && now - recalled_at_ < patience ? holders::recalled : found;
  }

  /// Whether a ban begins.
  bool judge_strikes(acquisition const& a, limits::ban_policy const& policy, std::int64_t now) {
    if (a.pardoned > pardoned_) {
      pardoned_ = a.pardoned;
      if (bans_.empty() || bans_.back() <= a.pardoned) {
        ban_until_ = announced_at_ = announced_until_ = strikes_gone_at_ = 0;
        bans_.clear();
      }
    }
    if (a.strikes == 0 || policy.strikes == 0 || a.never_banned || ban_until_ > now) return false;
    std::int64_t const most = now + policy.strikes * strike_length;
    strikes_gone_at_ = std::min(std::max(strikes_gone_at_, now) + a.strikes * strike_length, most);
    if (strikes_gone_at_ <= most - strike_length) return false;
    std::int64_t const longest = policy.max.count() * 1'000;
    std::int64_t length = policy.base.count() * 1'000;
    for (std::int64_t const begun : bans_)
      if (begun > now - day_length) length = std::min(2 * length, longest);
    ban_until_ = now + std::min(length, longest);
    bans_.push_back(now);
    if (bans_.size() > bans_remembered) bans_.erase(bans_.begin());
    return true;
  }

  std::int64_t born_ = 0;
  window short_, long_;
  std::int64_t full_at_ = 0, full_at_ns_ = 0;
  std::int64_t recalled_at_ = 0;
  std::int64_t announced_at_ = 0, announced_until_ = 0;
  std::int64_t strikes_gone_at_ = 0;
  std::int64_t ban_until_ = 0;
  std::int64_t pardoned_ = 0;
  std::vector<std::int64_t> bans_;
  bool is_recall_ = false;       // of the call that is being worked on
  std::map<int, claim> claims_;  // by node
};

}  // namespace petstore::quota
