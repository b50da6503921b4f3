// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <unordered_map>

#include "petstore/export.hpp"
#include "petstore/limits/long_use.hpp"
#include "petstore/limits/verdict.hpp"
#include "petstore/ports/quota_source.hpp"
#include "petstore/server/log.hpp"
#include "petstore/server/metrics.hpp"

namespace petstore::server {

/// An identity has used a part of the quota of its long window.
struct PETSTORE_EXPORT quota_threshold {
  std::uint64_t key = 0;                              ///< the number of the key whose request reached the mark
  std::uint64_t identity = 0;                         ///< the number of its identity
  limits::period window = limits::per_day(1).period;  ///< the period of the quota; `name_of` has its name
  unsigned percent = 0;                               ///< 80 or 100
  std::uint64_t limit = 0;                            ///< the quota, in tokens
  std::uint64_t used = 0;                             ///< tokens of it, those of the request included
  std::chrono::sys_seconds resets_at{};               ///< when the quota is whole again
};

/// Receives what `quota_watch` finds. Called on the thread of the request; must not throw or wait.
using quota_threshold_function = std::function<void(quota_threshold const&)>;

/// Notices when an identity has used 80 % and 100 % of the quota of its long window, and tells it once: it counts and
/// logs (`quota_threshold`) the event, and calls a function of the host.
///
/// An event belongs to an account, a period, the size of the quota and a mark. So it comes again in another period,
/// after the quota was reset (the identity has another account then), and after it got another size or a period of
/// another length. It does not come again when tokens were given back and are used again. Nodes that share quotas each
/// tell it when one of their own requests is admitted at or beyond the mark, by what they then know of the use of all
/// nodes.
///
/// Thread safety: `note_past` from any thread, each `observer` on one thread. An observer takes the lock when it sees
/// an identity beyond a mark for the first time.
class PETSTORE_EXPORT quota_watch {
 public:
  class observer;

  /// Either function may be empty.
  quota_watch(quota_threshold_function, log_function);

  /// Takes it as told that the account's quota has been used so far: what an earlier process admitted, it has told.
  void note_past(limits::account const*, limits::verdict const&);

 private:
  /// One period of an account's quota.
  struct span {
    limits::period window = limits::per_day(1).period;
    std::uint64_t limit = 0;
    std::int64_t end = 0;  ///< Unix time in s

    bool equals(span const&) const noexcept;
    bool is_before(span const&) const noexcept;
  };
  /// What was told about an account. Bit i of `told` stands for quota_marks[i].
  struct state {
    quota_watch::span span;
    unsigned told = 0;
  };
  struct reading {
    quota_watch::span span;
    std::uint64_t used = 0;
    unsigned reached = 0;  ///< as `state::told`
    std::int64_t at = 0;   ///< Unix time in s
  };

  /// An account that keeps its address, which another one replaces at a reset; or null and an identity.
  struct subject {
    limits::account const* account = nullptr;
    std::uint64_t identity = 0;

    static subject of(ports::payer const& who) noexcept { return {who.account, who.account ? 0 : who.identity}; }
    std::size_t hash() const noexcept;
    friend bool operator==(subject const&, subject const&) = default;
  };
  struct subject_hash {
    std::size_t operator()(subject const& s) const noexcept { return s.hash(); }
  };

  static reading read(limits::verdict const&) noexcept;
  unsigned claim(subject const&, reading const&);
  void forget_past(std::int64_t now);

  quota_threshold_function const tell_;
  log_function const log_;
  std::mutex mutex_;
  // Used under the mutex. Once an hour, accounts are removed whose period has been over for an hour.
  std::unordered_map<subject, state, subject_hash> accounts_;
  std::int64_t forgot_at_ = 0;  ///< Unix time in s
};

/// The part of a quota_watch that belongs to one thread. It costs a comparison for a request that stays below the first
/// mark. Beyond it, it remembers which of the latest accounts are told already, so that it rarely takes the lock.
class PETSTORE_EXPORT quota_watch::observer {
 public:
  /// Both outlive it.
  observer(quota_watch& shared, metrics_shard& counters) : shared_{shared}, counters_{counters} {}

  /// Looks at the verdict on a request of a key. `key` and `identity` are numbers.
  void look(ports::payer const& who, std::uint64_t key, std::uint64_t identity, limits::verdict const& v,
            log_origin const& origin) {
    bool const has_charged = v.admitted() && v.occasion == limits::occasion::charge;
    if (!has_charged || who.kind != ports::payer::kind::identity || !v.plan.long_window) return;
    if (limits::used_of_long_window(v) * 100 >= v.plan.long_window.tokens() * quota_marks.front())
      look_closely(subject::of(who), key, identity, v, origin);
  }

 private:
  struct seen {
    subject whose;
    state last;
  };

  void look_closely(subject const&, std::uint64_t key, std::uint64_t identity, limits::verdict const&,
                    log_origin const&);

  quota_watch& shared_;
  metrics_shard& counters_;
  std::array<seen, 256> seen_{};  ///< by a hash of the account; one replaces another
};

}  // namespace petstore::server
