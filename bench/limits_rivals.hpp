// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>
#include <mutex>

#include "limits/account_protocol.hpp"

/// Other ways to charge two quotas together, measured for comparison with `account`. Each first checks for a ban and
/// returns a complete verdict, so all do the same work; none counts strikes. They are in a header, so the compiler may
/// inline them into the measured loop; `account` is called in its library.
namespace petstore::limits::rivals {

using detail::word;
using detail::word_pair;

inline bool ban_holds(std::atomic<std::int64_t> const& until_ms, instant now) noexcept {
  return detail::boot_at(until_ms.load(std::memory_order_relaxed)) > now.boot;
}

/// The baseline: a mutex for each quota, both held while both words change. It uses the limiter's arithmetic.
class mutex_pair {
 public:
  verdict charge(plan const& p, ban_policy const& bans, instant now) { return charge(p, bans, cost{1}, now); }

  verdict charge(plan const& p, ban_policy const&, cost tokens, instant now) {
    if (ban_holds(ban_until_ms_, now)) return verdict{.decision = decision::banned};
    std::scoped_lock const lock(minute_mutex_, day_mutex_);
    auto const next = detail::take(words_, p, now, tokens);
    if (next) words_ = *next;
    auto const decided = next ? decision::admitted : decision::rate_limited;
    return detail::verdict_on(words_, decided, occasion::charge, p, now, {}, tokens);
  }

 private:
  std::atomic<std::int64_t> ban_until_ms_ = 0;
  std::mutex minute_mutex_;
  std::mutex day_mutex_;
  word_pair words_;
};

/// The same under one mutex, to show the gain of a coarser lock.
class one_mutex {
 public:
  verdict charge(plan const& p, ban_policy const&, instant now) {
    if (ban_holds(ban_until_ms_, now)) return verdict{.decision = decision::banned};
    std::lock_guard const lock(mutex_);
    auto const next = detail::take(words_, p, now);
    if (next) words_ = *next;
    return detail::verdict_on(words_, next ? decision::admitted : decision::rate_limited, occasion::charge, p, now);
  }

 private:
  std::atomic<std::int64_t> ban_until_ms_ = 0;
  std::mutex mutex_;
  word_pair words_;
};

/// Only the limiter's arithmetic, for callers that hold a mutex.
class unguarded {
 public:
  verdict charge(plan const& p, ban_policy const&, cost tokens, instant now) {
    if (ban_holds(ban_until_ms_, now)) return verdict{.decision = decision::banned};
    auto const next = detail::take(words_, p, now, tokens);
    if (next) words_ = *next;
    return told(next ? decision::admitted : decision::rate_limited, occasion::charge, p, tokens, now);
  }
  verdict peek(plan const& p, cost tokens, instant now) const {
    if (ban_holds(ban_until_ms_, now)) return verdict{.decision = decision::banned};
    bool const passes = detail::take(words_, p, now, tokens).has_value();
    return told(passes ? decision::admitted : decision::rate_limited, occasion::observation, p, tokens, now);
  }
  verdict refund(verdict const& charged, plan const& p, instant now) {
    std::uint64_t const tokens = charged.cost.tokens();
    words_.first = detail::refund_short(words_.first, charged.short_word, p.short_window, now, tokens);
    words_.second = detail::refund_long(words_.second, charged.long_word, now, tokens);
    return told(decision::admitted, occasion::refund, p, charged.cost, now);
  }

 private:
  verdict told(decision d, occasion o, plan const& p, cost tokens, instant now) const {
    return detail::verdict_on(words_, d, o, p, now, {}, tokens);
  }

  std::atomic<std::int64_t> ban_until_ms_ = 0;
  word_pair words_;
};

/// Two swaps of 8 bytes: the minute's token is taken first, and given back if the day has none. Faster, but wrong:
/// until the token is given back, another request may be refused although both quotas had a token for it.
class two_swaps {
 public:
  verdict charge(plan const& p, ban_policy const&, instant now) noexcept {
    if (ban_holds(ban_until_ms_, now)) return verdict{.decision = decision::banned};
    word minute = minute_.load(std::memory_order_relaxed);
    word day = day_.load(std::memory_order_relaxed);
    auto const refusal = [&] {
      return detail::verdict_on({minute, day}, decision::rate_limited, occasion::charge, p, now);
    };
    auto next_minute = detail::take_from_short(minute, p, p.short_refill, now);
    while (next_minute && !minute_.compare_exchange_weak(minute, *next_minute))
      next_minute = detail::take_from_short(minute, p, p.short_refill, now);
    if (!next_minute) return refusal();

    auto next_day = detail::take_from_long(day, p.long_window, now);
    while (next_day && !day_.compare_exchange_weak(day, *next_day))
      next_day = detail::take_from_long(day, p.long_window, now);
    if (next_day) return detail::verdict_on({*next_minute, *next_day}, decision::admitted, occasion::charge, p, now);

    minute = *next_minute;
    while (!minute_.compare_exchange_weak(minute, detail::refund_short(minute, *next_minute, p.short_window, now))) {
    }
    return refusal();
  }

 private:
  std::atomic<std::int64_t> ban_until_ms_ = 0;
  std::atomic<word> minute_ = 0;
  std::atomic<word> day_ = 0;
};

/// The idea of folly's token bucket, and of Envoy's. A bucket is one floating-point number: the time at which it would
/// have been empty. Its tokens are the time since then multiplied by its rate, at most a burst. One swap takes a token.
class floating_bucket {
 public:
  struct rate {
    double tokens_per_s;
    double burst;
  };
  static rate rate_of(std::uint64_t tokens, std::chrono::seconds period) noexcept {
    auto const burst = static_cast<double>(tokens);
    return {burst / static_cast<double>(period.count()), burst};
  }

  /// `state` gets the bucket's number after the call.
  bool take(rate r, instant now, word& state) noexcept {
    double const now_s = static_cast<double>(now.boot.time_since_epoch().count()) * 1e-9;
    double seen = empty_at_.load(std::memory_order_relaxed);
    for (;;) {
      double const tokens = std::min((now_s - seen) * r.tokens_per_s, r.burst);
      state = std::bit_cast<word>(seen);
      if (tokens < 1) return false;
      double const next = now_s - (tokens - 1) / r.tokens_per_s;
      state = std::bit_cast<word>(next);
      if (empty_at_.compare_exchange_weak(seen, next)) return true;
    }
  }
  void give_back(rate r) noexcept {
    double seen = empty_at_.load(std::memory_order_relaxed);
    while (!empty_at_.compare_exchange_weak(seen, seen - 1 / r.tokens_per_s)) {
    }
  }

 private:
  std::atomic<double> empty_at_ = -1e9;  // long ago: a new bucket is full
};

/// The idea of governor: the generic cell rate algorithm on one integer, the time at which the bucket is full again.
class gcra_bucket {
 public:
  struct rate {
    std::int64_t ns_per_token;
    std::int64_t burst_ns;
  };
  static rate rate_of(std::uint64_t tokens, std::chrono::nanoseconds period) noexcept {
    auto const ns_per_token = std::max<std::int64_t>(1, period.count() / static_cast<std::int64_t>(tokens));
    return {ns_per_token, ns_per_token * static_cast<std::int64_t>(tokens)};
  }

  /// `state` gets the bucket's number after the call.
  bool take(rate r, instant now, word& state) noexcept {
    std::int64_t const now_ns = now.boot.time_since_epoch().count();
    std::int64_t seen = full_at_.load(std::memory_order_relaxed);
    for (;;) {
      std::int64_t const next = std::max(seen, now_ns) + r.ns_per_token;
      state = static_cast<word>(seen);
      if (next - now_ns > r.burst_ns) return false;
      state = static_cast<word>(next);
      if (full_at_.compare_exchange_weak(seen, next)) return true;
    }
  }
  void give_back(rate r) noexcept { full_at_.fetch_sub(r.ns_per_token); }

 private:
  std::atomic<std::int64_t> full_at_ = 0;
};

/// Two such buckets; a token is given back if the other bucket has none. There are no periods (the day is a bucket that
/// fills over 24 h), and while a token is held, another request may be refused although both buckets had one for it.
template <class Bucket>
class two_buckets {
 public:
  verdict charge(plan const& p, ban_policy const&, instant now) noexcept {
    if (ban_holds(ban_until_ms_, now)) return verdict{.decision = decision::banned};
    auto const per_minute = Bucket::rate_of(p.short_window.tokens(), std::chrono::seconds{60});
    auto const per_day = Bucket::rate_of(p.long_window.tokens(), std::chrono::seconds{86'400});
    word_pair state;
    bool admitted = minute_.take(per_minute, now, state.first);
    if (admitted && !day_.take(per_day, now, state.second)) {
      minute_.give_back(per_minute);
      admitted = false;
    }
    return detail::verdict_on(state, admitted ? decision::admitted : decision::rate_limited, occasion::charge, p, now);
  }

 private:
  std::atomic<std::int64_t> ban_until_ms_ = 0;
  Bucket minute_;
  Bucket day_;
};

}  // namespace petstore::limits::rivals
