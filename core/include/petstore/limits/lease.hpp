// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "petstore/export.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/plan.hpp"
#include "petstore/limits/verdict.hpp"

namespace petstore::limits {

/// What a server of shared quotas told of an identity with one answer, translated to this node's boot clock.
///
/// An end is translated twice. Counted from when the question was *sent* it is never later than the real end: until
/// then tokens may be used. Counted from when the answer was *received* it is never earlier: that is what clients are
/// told. Counts are those of the server after the grant, so they hold every token of the lease as used.
struct PETSTORE_EXPORT lease_terms {
  limits::plan plan{.per_minute = 1};  ///< by which the server counted
  std::uint64_t minute_used = 0;       ///< periodic refill
  boot_time minute_end{};              ///< as told; the epoch: no period is open. Continuous: when the bucket is full
  std::int64_t day = 0;                ///< days since 1970-01-01 by the server's clock
  std::uint64_t day_used = 0;          ///< tokens, of all nodes
  std::chrono::nanoseconds wall_minus_boot{0};  ///< what is told is told by the server's clock
  boot_time use_until{};                        ///< then the server must be asked before tokens are used
  boot_time held_until{};                       ///< then they are gone: their period is over
  boot_time refused_until{};                    ///< without tokens: refuse without asking until then; the epoch: ask
};

/// The tokens that this node has taken of a shared quota ahead of need, and what it knows of that quota.
///
/// Charging is one load and one swap of a word. The quota's numbers lie beside it, in one of two slots that the lease's
/// number chooses, and a charge that read a slot while it was being replaced fails to swap, since the number has moved
/// on.
///
/// Thread safety: `charge`, `charge_held`, `refund`, `observe` from any thread; `install`, `take_back`, `put_back`
/// from one thread at a time.
class PETSTORE_EXPORT lease {
 public:
  /// What this node can say by itself.
  enum class outcome : std::uint8_t {
    admitted,
    refused,   ///< the quota is exhausted, as the server said a while ago
    must_ask,  ///< only the server can tell
  };
  /// Whether the request may pass, and what its client is told.
  struct decision {
    lease::outcome outcome = outcome::must_ask;  ///< must_ask: the verdict says nothing
    bool ask_ahead = false;                      ///< half of the tokens are used: time to ask for more
    limits::verdict verdict{};                   ///< of the shared quota, as far as this node knows it
  };

  /// Takes one token. A plan that is not the one of the terms must be asked for.
  decision charge(plan const&, instant) noexcept;
  /// For who has just asked, and takes the answer as it is, however late it came: a refusal holds for this request.
  decision charge_after_asking(plan const&, instant) noexcept;
  /// For when the server is gone: tokens are used until their period ends, and never refuses.
  decision charge_held(instant) noexcept;

  /// The state as it is. `outcome` is must_ask when the server has not been asked lately.
  decision observe(plan const&, instant) const noexcept;

  /// Puts a token back that `charged` took, if it is still of use here: of the same period. The verdict shows the
  /// state.
  decision refund(verdict const& charged, instant) noexcept;

  /// New terms and tokens. Tokens of the terms before stay if they may (`keep`: they are of the same periods); returns
  /// how many do not.
  std::uint32_t install(lease_terms const&, std::uint32_t granted, bool keep) noexcept;
  /// Takes all tokens away; returns how many.
  std::uint32_t take_back() noexcept;
  /// Undoes a `take_back` of so many, with nothing installed since.
  void put_back(std::uint32_t tokens) noexcept;

  /// How many tokens it holds now.
  std::uint32_t tokens() const noexcept;
  /// Whether there are tokens although it is time to ask.
  bool lies_idle(instant) const noexcept;

 private:
  template <class Lease>
  class memory;

  // The word (number of the lease, tokens), then seven words for each of two slots. Any thread reads; whoever installs
  // writes the slot that the current number does not choose.
  alignas(64) std::array<std::atomic<std::uint64_t>, 15> words_{};
};

}  // namespace petstore::limits
