// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
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
    if (known.generation != a.generation && !has_forgotten) known.minute_count = known.day_count = 0;

    bool const continuous = a.plan.minute_refill == limits::refill::continuous;
    std::int64_t const quota = a.plan.per_minute;
    std::int64_t const day_quota = static_cast<std::int64_t>(a.plan.per_day);
    std::int64_t const interval = (minute_length * 1'000 + quota - 1) / quota;
    std::int64_t const minute_before = minute_end_, day_before = day_;
    forget_what_is_over(now);
    if (recalled_at_ > now) recalled_at_ = 0;
    if (announced_at_ > now) announced_at_ = announced_until_ = 0;
    ban_until_ = std::min(ban_until_, now + policy.max.count() * 1'000);
    if (minute_end_ != minute_before) known.minute_count = 0;
    if (day_ != day_before) known.day_count = 0;
    std::int64_t owed = (full_at_ - now) * 1'000 + full_at_ns_;
    if (has_forgotten) owed = std::max(owed, (a.full_at - now) * 1'000);
    owed = std::clamp<std::int64_t>(owed, 0, quota * interval);

    std::int64_t day_count = a.day == day_ ? counted(a.day_count) : 0;
    if (has_forgotten && a.earlier_day == day_) day_count += counted(a.earlier_count);
    reconcile(known, a, day_count, now, continuous);
    std::int64_t minute_count = claimed_minute_ != 0 && claimed_minute_ == minute_end_ ? counted(a.minute_count) : 0;
    if (a.returned_ns > 0 && a.returned_mark > now)
      owed = std::max<std::int64_t>(0, owed - std::min(a.returned_ns, (a.returned_mark - now) * 1'000));
    if (continuous && minute_used_ > 0) {
      owed = std::min(std::max(owed, minute_used_ * interval), quota * interval);
      minute_end_ = minute_used_ = minute_count = 0;
    } else if (!continuous && owed > 0) {
      if (minute_end_ == 0) minute_end_ = now + minute_length;
      minute_used_ = std::max(minute_used_, (owed + interval - 1) / interval);
      owed = 0;
    }
    std::int64_t const second = now / 1'000'000;
    tidy(node, minute_end_ != minute_before, day_ != day_before, continuous, known.heard_s, second);
    bool const begins_ban = judge_strikes(a, policy, now);

    std::int64_t const minute_left = continuous ? (quota * interval - owed) / interval : quota - minute_used_;
    std::int64_t left = minute_left;
    if (day_quota > 0) left = std::min(left, day_quota - day_used_);
    std::int64_t granted = 0;
    bool const is_banned = ban_until_ > now && !a.never_banned;
    if (a.want > 0 && left > 0 && left >= a.cheapest && !is_banned) {
      std::int64_t const nodes = std::max<std::int64_t>(1, a.nodes);
      granted = std::min<std::int64_t>({a.want, left, std::max<std::int64_t>({1, a.waiting, left / (2 * nodes)})});
      if (continuous) {
        owed += granted * interval;
      } else {
        if (minute_end_ == 0) minute_end_ = now + minute_length;
        minute_used_ += granted;
        minute_count += granted;
      }
      if (day_quota > 0) day_used_ += granted, day_count += granted;
    }
    bool const is_short = a.waiting > granted && !is_banned;
    quota::holders found = holders::none;
    if (is_short || begins_ban || a.looks) found = recall_from_others(node, a.patience, now);
    if (now - recalled_at_ > 1'000'000) recalled_at_ = 0;
    if (is_short && left - granted <= 0 && found != holders::recalled && now >= announced_until_) {
      std::int64_t free_at = now;
      if (minute_left - granted <= 0)
        free_at = continuous ? now + (owed - (quota - 1) * interval + 999) / 1'000 : minute_end_;
      if (day_quota > 0 && day_quota <= day_used_) free_at = std::max(free_at, (day_ + 1) * day_length);
      announced_at_ = now;
      announced_until_ = free_at;
    }
    full_at_ = owed > 0 ? now + owed / 1'000 : 0;
    full_at_ns_ = owed % 1'000;
    std::int64_t const held =
        a.held + (granted >= a.waiting ? granted - a.waiting : std::min<std::int64_t>(granted, a.dearest - 1));
    claims_[node] = {a.generation, a.sequence, minute_count, day_count, std::min<std::int64_t>(held, 16'777'215),
                     false,        second};
    return acquired{.now = now,
                    .granted = static_cast<std::uint32_t>(granted),
                    .minute_end = minute_end_,
                    .minute_used = static_cast<std::uint64_t>(minute_used_),
                    .day = day_,
                    .day_used = static_cast<std::uint64_t>(day_used_),
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
    std::int64_t until = std::max({minute_end_, full_at_, announced_until_, strikes_gone_at_, ban_until_});
    if (day_used_ > 0) until = std::max(until, (day_ + 1) * day_length);
    if (!bans_.empty()) until = std::max(until, bans_.back() + day_length);
    return now > until + 5'000'000;
  }

 private:
  static constexpr std::int64_t minute_length = 60'000'000;
  static constexpr std::int64_t day_length = 86'400'000'000;
  static constexpr std::int64_t strike_length = 1'000'000;
  static constexpr std::size_t bans_remembered = 12;

  struct claim {
    std::uint64_t generation = 0;
    std::uint64_t sequence = 0;
    std::int64_t minute_count = 0;  ///< of the minute and the day that the key is in
    std::int64_t day_count = 0;
    std::int64_t held = 0;  ///< at most
    bool is_recalled = false;
    std::int64_t heard_s = 0;
  };

  static std::int64_t counted(std::uint64_t n) { return static_cast<std::int64_t>(n); }

  void forget_what_is_over(std::int64_t now) {
    minute_end_ = std::min(minute_end_, now + minute_length);
    if (minute_end_ <= now) minute_end_ = minute_used_ = 0;
    std::int64_t const today = now / day_length;
    if (day_ < today) day_ = today, day_used_ = 0;
    if (day_ > today + 1) day_ = today;
  }

  /// Once a minute, and when a period ends.
  void tidy(int caller, bool is_new_minute, bool is_new_day, bool continuous, std::int64_t caller_heard_s,
            std::int64_t second) {
    if (!is_new_minute && !is_new_day && caller_heard_s / 60 == second / 60) return;
    for (auto place = claims_.begin(); place != claims_.end();) {
      auto& [node, c] = *place;
      if (node == caller) {
        ++place;
        continue;
      }
      if (is_new_minute) c.minute_count = 0;
      if (is_new_day) c.day_count = 0;
      if (c.minute_count == 0 && c.day_count == 0 && !continuous) c.held = 0;
      bool is_kept = c.heard_s >= second - 300 || (c.held > 0 && c.day_count > 0);
      if (!is_kept && c.day_count > 0 && !c.is_recalled) {
        is_kept = c.is_recalled = true;
        c.heard_s = second;
      }
      place = is_kept ? std::next(place) : claims_.erase(place);
    }
  }

  quota::holders recall_from_others(int caller, std::int64_t patience, std::int64_t now) {
    auto found = holders::none;
    for (auto& [node, c] : claims_) {
      if (node == caller || c.held == 0) continue;
      found = holders::silent;
      is_recall_ = is_recall_ || !c.is_recalled;
      c.is_recalled = true;
    }
    if (is_recall_) recalled_at_ = now;
    return found == holders::silent && now - recalled_at_ < patience ? holders::recalled : found;
  }

  void reconcile(claim const& known, acquisition const& a, std::int64_t day_count, std::int64_t now, bool continuous) {
    claimed_minute_ = a.minute <= now || a.minute > now + minute_length ? 0 : a.minute;
    if (continuous && minute_end_ == 0) claimed_minute_ = 0;
    if (claimed_minute_ != 0 && minute_end_ == 0) minute_end_ = claimed_minute_;
    minute_used_ -= known.minute_count;
    if (claimed_minute_ != 0) minute_used_ += counted(a.minute_count);
    minute_used_ = std::max<std::int64_t>(0, minute_used_);
    day_used_ = std::max<std::int64_t>(0, day_used_ + day_count - known.day_count);
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
  std::int64_t minute_end_ = 0, minute_used_ = 0;
  std::int64_t day_ = 0, day_used_ = 0;
  std::int64_t full_at_ = 0, full_at_ns_ = 0;
  std::int64_t recalled_at_ = 0;
  std::int64_t announced_at_ = 0, announced_until_ = 0;
  std::int64_t strikes_gone_at_ = 0;
  std::int64_t ban_until_ = 0;
  std::int64_t pardoned_ = 0;
  std::vector<std::int64_t> bans_;
  std::int64_t claimed_minute_ = 0;  // of the call that is being worked on
  bool is_recall_ = false;           // likewise
  std::map<int, claim> claims_;      // by node
};

}  // namespace petstore::quota
