// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string_view>

/// The rules for header fields: one row for each field that a rule names. The meaning of a field is in the code that
/// reads or writes it.
namespace petstore::server::http {

struct field_row {
  std::string_view name;
  bool page_may_send = false;      ///< in a cross-origin request (Access-Control-Allow-Headers)
  bool page_may_read = false;      ///< in the answer to one (Access-Control-Expose-Headers)
  bool forbidden_trailer = false;  ///< see below
};

namespace detail {
inline constexpr bool may_send = true;
inline constexpr bool may_read = true;
/// The field frames the message, routes it, identifies the sender, or describes the body. A reader that merges trailers
/// into the head would act on it, and one that drops them would not (RFC 9110, 6.5.1).
inline constexpr bool no_trailer = true;
inline constexpr bool no = false;

// clang-format off
inline constexpr field_row rows[] = {
  {"X-RateLimit-Limit",     no,       may_read, no},
  {"X-RateLimit-Remaining", no,       may_read, no},
  {"X-RateLimit-Reset",     no,       may_read, no},
  {"X-RateLimit-Resource",  no,       may_read, no},
  {"RateLimit",             no,       may_read, no},
  {"RateLimit-Policy",      no,       may_read, no},
  {"Retry-After",           no,       may_read, no},
  {"Link",                  no,       may_read, no},
  {"Location",              no,       may_read, no},
  {"ETag",                  no,       may_read, no},
  {"Idempotency-Replayed",  no,       may_read, no},
  {"Deprecation",           no,       may_read, no},
  {"Sunset",                no,       may_read, no},
  {"X-Stability",           no,       may_read, no},
  {"Allow",                 no,       may_read, no},
  {"Accept-Patch",          no,       may_read, no},
  {"WWW-Authenticate",      no,       may_read, no},

  {"X-Request-Id",          may_send, may_read, no_trailer},
  {"Authorization",         may_send, no,       no_trailer},
  {"Content-Type",          may_send, no,       no_trailer},
  {"If-Match",              may_send, no,       no_trailer},
  {"If-None-Match",         may_send, no,       no_trailer},
  {"Idempotency-Key",       may_send, no,       no_trailer},

  {"Cache-Control",         no,       no,       no_trailer},
  {"Connection",            no,       no,       no_trailer},
  {"Content-Encoding",      no,       no,       no_trailer},
  {"Content-Length",        no,       no,       no_trailer},
  {"Content-Range",         no,       no,       no_trailer},
  {"Cookie",                no,       no,       no_trailer},
  {"Expect",                no,       no,       no_trailer},
  {"Forwarded",             no,       no,       no_trailer},
  {"Host",                  no,       no,       no_trailer},
  {"If-Modified-Since",     no,       no,       no_trailer},
  {"If-Range",              no,       no,       no_trailer},
  {"If-Unmodified-Since",   no,       no,       no_trailer},
  {"Keep-Alive",            no,       no,       no_trailer},
  {"Max-Forwards",          no,       no,       no_trailer},
  {"Pragma",                no,       no,       no_trailer},
  {"Proxy-Authenticate",    no,       no,       no_trailer},
  {"Proxy-Authorization",   no,       no,       no_trailer},
  {"Proxy-Connection",      no,       no,       no_trailer},
  {"Range",                 no,       no,       no_trailer},
  {"Set-Cookie",            no,       no,       no_trailer},
  {"TE",                    no,       no,       no_trailer},
  {"Trailer",               no,       no,       no_trailer},
  {"Transfer-Encoding",     no,       no,       no_trailer},
  {"Upgrade",               no,       no,       no_trailer},
  {"X-Forwarded-For",       no,       no,       no_trailer},
};
// clang-format on

}  // namespace detail

inline constexpr auto const& field_table = detail::rows;

}  // namespace petstore::server::http
