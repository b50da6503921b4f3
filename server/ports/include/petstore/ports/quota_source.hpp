// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/system/system_error.hpp>
#include <cstdint>
#include <system_error>

#include "petstore/export.hpp"
#include "petstore/limits/account.hpp"
#include "petstore/limits/address.hpp"
#include "petstore/limits/cost.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/limiter_errc.hpp"
#include "petstore/limits/plan.hpp"
#include "petstore/limits/verdict.hpp"
#include "petstore/ports/eventual.hpp"

namespace petstore::ports {

/// The payer of a request.
struct PETSTORE_EXPORT payer {
  /// What is charged.
  enum class kind : std::uint8_t {
    identity,  ///< a valid key
    address,   ///< no valid key: the `anonymous` plan of its address
    keyless,   ///< a page that needs no key: a bucket of its own per address
  };
  payer::kind kind = kind::address;          ///< which of the members below are used
  limits::account* account = nullptr;        ///< of an identity: what `account_of` returned
  std::uint64_t identity = 0;                ///< with a null account, which only `payer_of` makes: its source finds it
  limits::address address;                   ///< of the other two kinds
  limits::plan plan{limits::per_minute(1)};  ///< the strictest plan unless set
  bool never_banned = false;                 ///< trusted proxies
};

/// Counts quotas: on this node alone (`local`), or shared by many nodes.
///
/// A verdict that is not ready is awaited, and resumes the coroutine on that coroutine's executor. A cancellation that
/// comes before it is awaited throws operation_aborted, as Asio does, and nothing is charged. One that comes later ends
/// only the wait: the shared source then decides by its failure policy, as if it had got no answer, and a verdict that
/// admits has taken its tokens. `async_quota` gives the tokens of a cancelled charge back; whoever awaits a charge
/// itself refunds the verdict.
///
/// Thread safety: every function from any thread. A charge throws if the source is unavailable and its failure policy
/// is to refuse (the shared source throws boost::system::system_error). The request is then answered 503.
class PETSTORE_EXPORT quota_source {
 public:
  virtual ~quota_source() = default;

  /// Returns if the source can charge under the plan. An application and an `async_quota` ask before they take one.
  /// Throws boost::system::system_error: with limits::limiter_errc::invalid_plan for a plan that is not sound, a
  /// shared source also with limits::limiter_errc::burst_not_shared for any burst.
  virtual void check(limits::plan const& p) const {
    if (!p.is_sound()) throw boost::system::system_error{std::error_code{limits::limiter_errc::invalid_plan}};
  }

  /// Finds or makes the account of an identity, which has this plan from now on. `resets` is the number of the latest
  /// time an operator made its quotas whole, 0 if there is none: with a higher number than before the identity gets a
  /// new account, whose quotas are whole and which has no ban; with a lower number it keeps the newest. The account
  /// stays at its address as long as the source lives, so call it for the identities of keys, and `payer_of` for those
  /// that come and go. Throws std::bad_alloc, and what `check` throws for the plan. A source throws the latter, too,
  /// when it charges an address.
  virtual limits::account& account_of(std::uint64_t identity, limits::plan const&, std::uint64_t resets) = 0;
  /// The same for quotas that nobody resets.
  limits::account& account_of(std::uint64_t identity, limits::plan const& plan) {
    return account_of(identity, plan, 0);
  }
  /// The payer for an identity that is charged under this plan from now on. It is good as long as the source
  /// lives, but does not keep the account in memory. A local source forgets one that `account_of` never returned, once
  /// nothing of it counts any more; a shared source, which finds its counts again, forgets it to make space for others.
  /// Throws like `account_of`. What is called with the payer may throw std::bad_alloc, and boost::system::system_error
  /// of a shared source that has no space.
  virtual payer payer_of(std::uint64_t identity, limits::plan const& plan) {
    payer who;
    who.kind = payer::kind::identity;
    who.account = &account_of(identity, plan);
    who.plan = plan;
    return who;
  }

  // The caller keeps objects given by reference alive until the verdict is ready.
  /// Charges that many tokens of each quota in one step, or none. A local source has the verdict at once; a shared one
  /// may have to ask. Nothing begins before the result is awaited; it may be dropped instead.
  virtual eventual<limits::verdict> charge(payer const&, limits::cost, limits::instant) = 0;
  /// The same for one token.
  eventual<limits::verdict> charge(payer const& who, limits::instant now) { return charge(who, 1, now); }
  /// Gives back the tokens that `charged` took, like `limits::account::refund`. Once for each verdict. A mistake gives
  /// nothing back, fails an assertion in a debug build, and returns a verdict with occasion::mistaken_refund. A local
  /// source notices what an account notices; for an identity without an `account`, and in a shared source, only a
  /// verdict that took nothing is noticed (a refusal, the result of a refund).
  virtual eventual<limits::verdict> refund(payer const&, limits::verdict const& charged, limits::instant) = 0;
  /// The number of refunds that gave nothing back because they were mistakes. 0 from a source that does not count them.
  [[nodiscard]] virtual std::uint64_t mistaken_refunds() const noexcept { return 0; }
  /// Charges a request of getQuota.
  virtual eventual<limits::verdict> charge_inquiry(payer const&, limits::instant) = 0;
  /// The verdict for answers that cost nothing. It never waits: it uses what this node knows.
  [[nodiscard]] virtual limits::verdict observe(payer const&, limits::instant) = 0;
  /// The same with what other nodes have done: a shared source may have to ask, and `observe` then knows the answer.
  /// When there is no answer, the verdict is what this node knows.
  virtual eventual<limits::verdict> look(payer const& who, limits::instant now) { return observe(who, now); }

  /// Applies an operator's ban from the key records.
  virtual void impose_ban(std::uint64_t identity, limits::wall_time until, limits::instant) = 0;
  /// Lifts bans that began before `given_at`. The same command may be applied again on a later start; it must not lift
  /// a ban for strikes that began after it.
  virtual void lift_ban(std::uint64_t identity, limits::wall_time given_at, limits::instant) = 0;
};

}  // namespace petstore::ports
