// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/router.hpp"
#include "petstore/error.hpp"
#include "petstore/server/response.hpp"

namespace petstore::server {

/// Replaces whatever is in the answer by an error's: status, body, Retry-After where the table asks for it, and what
/// the log is told. `message` empty: the sentence of the table. Any thread.
void write_error(errc, std::string_view message, std::string_view cause, response&);

/// WWW-Authenticate, for a caller without a valid key.
void add_challenge(bool gave_token, response&);
/// Allow: what the path has; where there is no such path, what the service has.
void add_allow(route const&, response&);
/// Accept-Patch, where there is a PATCH.
void add_accept_patch(route const&, response&);

enum class caching : std::uint8_t {
  none,        ///< no cache may keep the answer
  revalidate,  ///< a cache may keep it and has to ask each time whether it is current
};

/// Content-Type (of an answer with a body), X-Content-Type-Options and Cache-Control.
void add_content_fields(caching, response&);

/// What the answers of an operation always say, written once: how firmly the operation belongs to the interface
/// (X-Stability; or Deprecation, Sunset and the successor's Link), and the content fields. Any thread.
class constant_fields {
 public:
  explicit constant_fields(std::string_view base_path);
  /// `operation` nullptr: of what matched none.
  void append(operation const*, caching, response&) const;

 private:
  /// Of answers without a body and with one, by caching.
  using variants = std::array<std::array<std::string, 2>, 2>;
  std::array<variants, operations.size() + 1> fields_;  ///< by operation; the last: of none
};

}  // namespace petstore::server
