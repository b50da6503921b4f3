// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "admin/admin_tokens.hpp"
#include "petstore/limits/address.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/keyed_hash.hpp"
#include "petstore/limits/limiter.hpp"
#include "petstore/server/request.hpp"
#include "petstore/server/response.hpp"

namespace petstore::program {

/// Decides who may do what on the admin listener. A request has its token in `Authorization: Bearer …`. An address that
/// sends ten wrong tokens in a minute gets 429 for the next minute, whatever token it sends then. One thread.
class admin_access {
 public:
  /// nullopt: there are no tokens, so nobody may do anything that needs one.
  admin_access(std::optional<admin_tokens>, std::function<limits::instant()> clock);

  bool has_tokens() const noexcept { return tokens_.has_value(); }
  /// Replaces the tokens, for the next request on.
  void replace(admin_tokens fresh) { tokens_ = std::move(fresh); }

  /// Returns the user who sends the request, if its role allows what is needed. Otherwise fills in the answer, and
  /// returns nullopt.
  std::optional<admin_user> identify_or_answer(server::request const&, admin_role needed, server::response&);

 private:
  admin_user const* find_user(server::request const&) const;
  void count_wrong_token(server::request const&, limits::instant now);

  std::function<limits::instant()> const clock_;
  std::optional<admin_tokens> tokens_;
  limits::limiter<limits::address, limits::keyed_hash> wrong_tokens_;
};

}  // namespace petstore::program
