// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string_view>

#include "petstore/error.hpp"
#include "petstore/server/response.hpp"
#include "petstore/server/router.hpp"

namespace petstore::server {

/// Replaces whatever is in the answer by an error's: status, body, Retry-After where the table asks for it, and what
/// the log is told. Any thread.
void write_error(error const&, response&);

/// WWW-Authenticate, for a caller without a valid key.
void add_challenge(bool gave_token, response&);
/// Allow: what the path has; where there is no such path, what the service has.
void add_allow(route const&, response&);
/// Accept-Patch, where there is a PATCH.
void add_accept_patch(route const&, response&);

/// X-Stability, or Deprecation, Sunset and the successor's Link: on every answer of a matched operation.
void add_standing_fields(standing, std::string_view base_path, response&);

enum class caching : std::uint8_t {
  none,        ///< no cache may keep the answer
  revalidate,  ///< a cache may keep it and has to ask each time whether it is current
};

/// Content-Type (of an answer with a body), X-Content-Type-Options and Cache-Control.
void add_content_fields(caching, response&);

}  // namespace petstore::server
