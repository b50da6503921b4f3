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

namespace petstore::server {

/// The owner of a bearer token, and what the owner may do.
struct PETSTORE_EXPORT principal {
  /// The customer whose account is charged, from 1: all tokens of one customer have the same identity. Number customers
  /// one after the other instead of hashing them, since their accounts are kept in blocks (`quota_source::account_of`).
  /// 0, the default, means no customer: the request is refused like one with an unknown token.
  std::uint64_t identity = 0;
  limits::plan plan;                   ///< the quotas
  std::string plan_name = "custom";    ///< the name that getQuota reports
  key_scope scope = key_scope::write;  ///< the operations that are allowed
};

/// A host's own way to identify callers, in place of the API keys in the store: an implementation may look up a
/// session, verify a signed token, or search a table.
///
/// Thread safety: called from every thread that serves, for each request with a bearer token, so it must not wait. A
/// std::exception means that the check is not possible now: it is logged, and the answer is a 503 that costs nothing.
/// Return nullopt for a token that cannot be read; if it threw, guessing tokens would be free.
class PETSTORE_EXPORT key_check {
 public:
  virtual ~key_check() = default;

  /// `token` is the text after `Bearer ` in the Authorization field, as it was sent. Returns nullopt for an unknown
  /// caller. The view is valid during the call.
  [[nodiscard]] virtual std::optional<principal> check(std::string_view token, limits::instant) = 0;
};

}  // namespace petstore::server
