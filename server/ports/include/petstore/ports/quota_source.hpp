// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <optional>

#include "petstore/export.hpp"
#include "petstore/limits/account.hpp"
#include "petstore/limits/address.hpp"
#include "petstore/limits/cost.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/plan.hpp"
#include "petstore/limits/verdict.hpp"
#include "petstore/ports/eventual.hpp"

namespace petstore::ports {

/// Who pays for a request.
struct PETSTORE_EXPORT payer {
  /// What is charged.
  enum class kind : std::uint8_t {
    identity,  ///< a valid key
    address,   ///< no valid key: the `anonymous` plan of its address
    keyless,   ///< a page that needs no key: a bucket of its own per address
  };
  payer::kind kind = kind::address;    ///< which of the members below count
  limits::account* account = nullptr;  ///< of an identity: what `account_of` returned
  limits::address address;             ///< of the other two
  limits::plan plan{.per_minute = 1};  ///< the strictest until told
  bool never_banned = false;           ///< trusted proxies
};

/// Where quotas are counted: on this node alone (`local`), or shared by many.
///
/// Thread safety: every function from any thread. A charge that throws (that of the shared source:
/// boost::system::system_error) means that the source is gone and its failure policy is to refuse: the request is
/// answered 503.
class PETSTORE_EXPORT quota_source {
 public:
  virtual ~quota_source() = default;

  /// The account of an identity, found or made, which has this plan from now on. Stays at its address as long as the
  /// source lives, which forgets none: numbers are from 1 and close together, as those of keys are (a local source has
  /// 128 bytes for each number up to the next multiple of 64). Throws std::bad_alloc.
  virtual limits::account& account_of(std::uint64_t identity, limits::plan const&) = 0;

  // The caller keeps what is given by reference until the verdict is there.
  /// One token of each quota, or none. A local source has the verdict at once; a shared one may have to ask.
  virtual eventual<limits::verdict> charge(payer const&, limits::instant) = 0;
  /// Several tokens in one step, all or none; nullopt: this source takes them one at a time, or not for this payer.
  virtual std::optional<limits::verdict> charge_several(payer const&, limits::cost, limits::instant) {
    return std::nullopt;
  }
  /// Gives back what `charged` took, as `limits::account::refund` does. Once for each verdict.
  virtual eventual<limits::verdict> refund(payer const&, limits::verdict const& charged, limits::instant) = 0;
  /// getQuota.
  virtual eventual<limits::verdict> charge_inquiry(payer const&, limits::instant) = 0;
  /// For answers that cost nothing. Never waits: what this node knows.
  virtual limits::verdict observe(payer const&, limits::instant) = 0;

  /// An operator's ban and its end, as the key records tell of them.
  virtual void impose_ban(std::uint64_t identity, limits::wall_time until, limits::instant) = 0;
  /// Lifts what began before the operator spoke: told again on a later start, it must not lift a ban for strikes that
  /// began since.
  virtual void lift_ban(std::uint64_t identity, limits::wall_time given_at, limits::instant) = 0;
};

}  // namespace petstore::ports
