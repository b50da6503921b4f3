// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "api/router.hpp"
#include "petstore/error.hpp"
#include "petstore/etag.hpp"
#include "petstore/server/response.hpp"

namespace petstore::server {

/// Replaces the answer by an error: status, body, and the notes for the log. An empty `message` means the sentence of
/// the table. Any thread.
void write_error(errc, std::string_view message, std::string_view cause, response&);

/// Adds the ETag.
void add_etag(entity_tag, response&);
/// Adds the ETag. Returns true, and sets the status 304, if the caller has this version.
bool answer_not_modified(etag_condition const& known, entity_tag, response&);
/// Adds Retry-After, for a 503. The answer to a caller that the quotas refuse has that of the refusal instead.
void add_retry_after(response&);
/// Adds WWW-Authenticate, for a caller without a valid key.
void add_challenge(bool gave_token, response&);
/// Adds Allow: the methods of the path, or those of the service if there is no such path.
void add_allow(route const&, response&);
/// Adds Accept-Patch if the path has PATCH.
void add_accept_patch(route const&, response&);

enum class caching : std::uint8_t {
  none,        ///< no cache may keep the answer
  revalidate,  ///< a cache may keep it, and must revalidate it each time
};

/// Adds Content-Type (if there is a body), X-Content-Type-Options and Cache-Control.
void add_content_fields(caching, response&);

/// The constant fields of each operation's answers, formatted once: the stability of the operation (X-Stability; or
/// Deprecation, Sunset and a Link to the successor), and the content fields. Any thread.
class constant_fields {
 public:
  explicit constant_fields(std::string_view base_path);
  /// `operation` is nullptr if the request matched none.
  void append(operation const*, caching, response&) const;

 private:
  /// For answers without a body and with one, by caching.
  using variants = std::array<std::array<std::string, 2>, 2>;
  std::array<variants, operations.size() + 1> fields_;  ///< by operation; the last one is for no operation
};

}  // namespace petstore::server
