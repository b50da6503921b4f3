// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "petstore/export.hpp"
#include "petstore/key_record.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/plan.hpp"
#include "petstore/ports/eventual.hpp"

namespace petstore::server {

/// The owner of a bearer token, and what the owner may do.
struct PETSTORE_EXPORT principal {
  /// The customer whose account is charged: all tokens of one customer have the same identity. Any number will do,
  /// also one for a name (`limits::keyed_hash::identity_of` with a secret seed that stays the same: so clients cannot
  /// choose names with equal numbers, and quotas are found again after a restart). A source of quotas forgets
  /// identities that no longer come (`quota_source::payer_of`). 0, the default, means no customer: the request is
  /// refused like one with an unknown token.
  std::uint64_t identity = 0;
  limits::plan plan;                   ///< the quotas; 503 answers a plan that `quota_source::check` does not take
  std::string plan_name = "custom";    ///< the name that getQuota reports
  key_scope scope = key_scope::write;  ///< the operations that are allowed
  /// When the token ends: a cache asks again from then on. The check itself refuses a token that has ended.
  limits::wall_time valid_until = limits::wall_time::max();
};

/// A host's own way to identify callers, in place of the API keys in the store: an implementation may look up a
/// session, verify a signed token, or ask a database. `key_check_cache` goes in front of one that asks.
///
/// Thread safety: called from every thread that serves, for each request with a bearer token.
class PETSTORE_EXPORT key_check {
 public:
  virtual ~key_check() = default;

  /// `token` is the text after `Bearer ` in the Authorization field, as it was sent; the view is valid until the answer
  /// is there. Returns nullopt for an unknown caller, and for a token that cannot be read: if that were an exception,
  /// guessing tokens would be free. The answer is ready, or comes from a coroutine, which runs on the executor of the
  /// request's thread and must not block it. The request is charged after it.
  ///
  /// An application does not cancel the coroutine, not even when the client leaves or a drain's time is over: the
  /// connection and the drain wait for it. So the coroutine needs a time limit of its own. Only a host that calls
  /// `service::handle` itself can cancel it, with the request.
  ///
  /// A std::exception, of the function or of the coroutine, means that the check is not possible now: it is logged, and
  /// the response is a 503 that costs nothing.
  [[nodiscard]] virtual ports::eventual<std::optional<principal>> check(std::string_view token, limits::instant) = 0;
};

}  // namespace petstore::server
