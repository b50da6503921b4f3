// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "admin/admin_access.hpp"
#include "petstore/server/log.hpp"
#include "petstore/server/request.hpp"
#include "petstore/server/response.hpp"

namespace petstore::program {

/// Signs people in to the console, and out of it:
///
///     GET    /session   who is signed in: {"canSignIn": true, "name": "rosa", "role": "operator"}; null: nobody
///     POST   /session   {"token": "…"} begins a session: the same answer, and its cookie (session_cookie.hpp)
///     DELETE /session   ends it
///
/// A session is worth what its token is worth, and ends with it. A page of another site may not use these. One thread.
class console_session {
 public:
  /// `access` outlives this object.
  console_session(admin_access& access, server::log_function log) : access_{access}, log_{std::move(log)} {}

  void handle(server::request const&, server::response&);

 private:
  void sign_in(server::request const&, server::response&);
  void sign_out(server::request const&, server::response&);
  void answer_who(std::optional<admin_user> const&, server::response&) const;
  void record(server::severity, std::string_view event, server::request const&, std::string_view what) const;

  admin_access& access_;
  server::log_function const log_;
};

}  // namespace petstore::program
