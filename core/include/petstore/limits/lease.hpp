// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "petstore/export.hpp"
#include "petstore/limits/cost.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/plan.hpp"
#include "petstore/limits/verdict.hpp"

namespace petstore::limits {

/// The terms in one answer of a server of shared quotas, translated to this node's boot clock.
///
/// The end of a period is translated twice. Counted from when the request was *sent*, it is never later than the real
/// end: tokens may be used until then. Counted from when the answer was *received*, it is never earlier: clients get
/// this time. The counts are those of the server after the grant, so they count every token of the lease as used.
struct PETSTORE_EXPORT lease_terms {
  limits::plan plan{per_minute(1)};  ///< the plan that the server used
  std::uint64_t short_used = 0;      ///< tokens, of all nodes; periodic refill
  boot_time short_end{};             ///< for clients; the epoch: no period is open. Continuous: when the bucket is full
  wall_time long_end_wall{};         ///< the end of an aligned period of the long window, by the server's clock
  boot_time long_end{};              ///< for clients, the end of one that a request began; the epoch: none is open
  std::uint64_t long_used = 0;       ///< tokens, of all nodes
  std::chrono::nanoseconds wall_minus_boot{0};  ///< of the server's clock, for the times sent to clients
  boot_time use_until{};                        ///< afterwards the server must be asked before tokens are used
  boot_time held_until{};                       ///< afterwards the tokens are lost: their period is over
  boot_time refused_until{};                    ///< without tokens: refuse without asking until then; the epoch: ask
  std::uint32_t rest = 0;  ///< for `refused_until`: tokens that the server has left; more than those are refused
  std::uint32_t ask_at = ~std::uint32_t{0};  ///< tokens left at which to ask for more: at most half of them
};

/// The tokens that this node has taken of a shared quota in advance, and its knowledge of that quota.
///
/// A charge is one load and one swap of a word. The quota's numbers are in one of two slots; the number of the lease
/// chooses the slot. A charge that reads a slot while it is replaced fails to swap, since the number of the lease has
/// changed.
///
/// Thread safety: `charge`, `charge_held`, `refund`, `observe`, `observe_debited` from any thread; `install`,
/// `take_back`, `put_back` from one thread at a time.
class PETSTORE_EXPORT lease {
 public:
  /// What this node can decide by itself.
  enum class outcome : std::uint8_t {
    admitted,
    refused,   ///< the quota was exhausted in the server's last answer
    must_ask,  ///< only the server can decide
  };
  /// Whether the request may pass, and the verdict for its client.
  struct decision {
    lease::outcome outcome = outcome::must_ask;  ///< must_ask: the verdict is not set
    bool ask_ahead = false;                      ///< few tokens are left: time to ask for more
    bool is_empty = false;                       ///< a refusal: nobody has a token, so no request can pass
    limits::verdict verdict{};                   ///< of the shared quota, as far as this node knows it
  };

  /// Takes the tokens that a request costs, or none. If the plan is not the one of the terms, the result is must_ask.
  [[nodiscard]] decision charge(plan const&, cost, instant) noexcept;
  /// Charges right after an answer and uses the answer however late it came: a refusal applies to this request.
  [[nodiscard]] decision charge_after_asking(plan const&, cost, instant) noexcept;
  /// Charges while the server is unreachable: tokens are used until their period ends, and the lease refuses nothing.
  [[nodiscard]] decision charge_held(cost, instant) noexcept;

  /// The current state. `outcome` is must_ask if the server has not been asked recently.
  [[nodiscard]] decision observe(plan const&, instant) const noexcept;
  /// The same with the tokens of the lease counted as used: the state as the server counts it.
  [[nodiscard]] decision observe_debited(plan const&, instant) const noexcept;

  /// Puts back the tokens that `charged` took, if they belong to the current period; under continuous refill those that
  /// time has not given back yet (one that it gave back in part is put back whole). The verdict shows the state. A
  /// verdict that took nothing (a refusal, the result of a refund) puts nothing back, and the result has
  /// occasion::mistaken_refund. A verdict of another lease, or a copy that is put back twice, is not noticed: nodes
  /// share the count of used tokens.
  decision refund(verdict const& charged, instant) noexcept;

  /// Sets new terms and tokens. The tokens of the earlier terms are kept if `keep` is true (they are of the same
  /// periods); returns how many are not kept.
  std::uint32_t install(lease_terms const&, std::uint32_t granted, bool keep) noexcept;
  /// Takes all tokens away; returns their number.
  std::uint32_t take_back() noexcept;
  /// Undoes a `take_back` of that many tokens; nothing may be installed in between.
  void put_back(std::uint32_t tokens) noexcept;

  /// The number of tokens that it holds now.
  [[nodiscard]] std::uint32_t tokens() const noexcept;
  /// Whether there are tokens although it is time to ask.
  [[nodiscard]] bool lies_idle(instant) const noexcept;

 private:
  template <class Lease>
  class memory;

  // The word (number of the lease, tokens), then eight words for each of two slots. Any thread reads them; `install`
  // writes the slot that the current number does not choose.
  alignas(64) std::array<std::atomic<std::uint64_t>, 17> words_{};
};

}  // namespace petstore::limits
