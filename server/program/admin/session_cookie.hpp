// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string_view>

#include "petstore/server/request.hpp"
#include "petstore/server/response.hpp"

/// The cookie with the secret of a session of the console. Its name has the port that the browser asks: browsers send a
/// cookie to every port of a host, and without it the consoles of two servers on one host would replace each other's
/// cookie. Any thread.
namespace petstore::program {

/// Returns the secret; empty if the request has no such cookie.
std::string_view read_session_cookie(server::request const&);

/// Gives the browser the cookie. Scripts cannot read it, and the browser sends it with no request that begins at
/// another site. If the browser uses TLS, it sends it only over TLS. The browser forgets it when it is closed.
void add_session_cookie(server::request const&, std::string_view secret, server::response&);

/// Makes the browser forget the cookie.
void remove_session_cookie(server::request const&, server::response&);

}  // namespace petstore::program
