// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "admin/admin_sessions.hpp"
#include "admin/admin_tokens.hpp"
#include "petstore/limits/address.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/keyed_hash.hpp"
#include "petstore/limits/limiter.hpp"
#include "petstore/server/request.hpp"
#include "petstore/server/response.hpp"

namespace petstore::program {

/// Decides who may do what on the admin listener. A request has its token in `Authorization: Bearer …`, or the cookie
/// of a session that began with a token; a page of another site may not use the cookie. An address that sends ten wrong
/// tokens in a minute gets 429 for the next minute, whatever it sends then. One thread.
class admin_access {
 public:
  /// nullopt: there are no tokens, so nobody may do anything that needs one.
  admin_access(std::optional<admin_tokens>, std::function<limits::instant()> clock);

  bool has_tokens() const noexcept { return tokens_.has_value(); }
  /// Replaces the tokens, for the next request on. The sessions of tokens that are gone end.
  void replace(admin_tokens fresh);

  /// Returns the user who sends the request, if its role allows what is needed. Otherwise fills in the answer, and
  /// returns nullopt.
  std::optional<admin_user> identify_or_answer(server::request const&, admin_role needed, server::response&);

  /// A session that has begun.
  struct sign_in {
    admin_user user;
    std::string secret;  ///< for the cookie
  };
  /// Begins a session of the owner of that token, in place of the one that the request has. A wrong token counts as one
  /// in Authorization. If nobody is signed in, fills in the answer, and returns nullopt.
  std::optional<sign_in> sign_in_or_answer(server::request const&, std::string_view token, server::response&);
  /// Returns whose session the request has the cookie of; nullopt: it has none, or the session has ended.
  std::optional<admin_user> find_signed_in(server::request const&);
  /// Ends the session of the request.
  void sign_out(server::request const&);

 private:
  bool is_open_or_answer(server::request const&, limits::instant now, server::response&) const;
  admin_user const* find_user(server::request const&) const;
  void count_wrong_token(server::request const&, limits::instant now);

  std::function<limits::instant()> const clock_;
  std::optional<admin_tokens> tokens_;
  admin_sessions sessions_;
  limits::limiter<limits::address, limits::keyed_hash> wrong_tokens_;
};

}  // namespace petstore::program
