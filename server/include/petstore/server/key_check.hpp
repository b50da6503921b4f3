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

/// Who a bearer token belongs to, and what they may.
struct PETSTORE_EXPORT principal {
  /// From 1; who is charged: all tokens of one customer have the same. Count customers rather than hash them, as their
  /// accounts are kept in blocks (`quota_source::account_of`). 0, which it is unless it is told, is nobody's: the
  /// request is refused as one with an unknown token.
  std::uint64_t identity = 0;
  limits::plan plan;                   ///< how much they may ask for
  std::string plan_name = "custom";    ///< for getQuota to tell
  key_scope scope = key_scope::write;  ///< what they may ask for
};

/// A host's own way to tell who is calling, in place of the API keys in the store: an implementation looks at a
/// session, a token that is signed, a table.
///
/// Thread safety: called from every thread that serves, for each request with a bearer token, so it must not wait. A
/// std::exception says that it cannot tell, which is logged and a 503 that costs nothing; a token that cannot be read
/// is nobody's, else guessing were free.
class PETSTORE_EXPORT key_check {
 public:
  virtual ~key_check() = default;

  /// What follows `Bearer ` in the Authorization field, as it was sent; nullopt: nobody we know. The view is valid
  /// during the call.
  virtual std::optional<principal> check(std::string_view token, limits::instant) = 0;
};

}  // namespace petstore::server
