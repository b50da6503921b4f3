// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "petstore/server/response.hpp"

namespace petstore::server::http {

/// What an answer says about its connection.
enum class persistence : std::uint8_t {
  keep,          ///< HTTP/1.1's default, no field is needed
  keep_and_say,  ///< for HTTP/1.0, which needs a field
  close,
};

/// The data that the session adds to a handler's answer.
struct answer_frame {
  std::string_view date_line;  ///< with its CRLF
  std::string_view request_id;
  http::persistence persistence = persistence::keep;
  bool answers_head = false;  ///< the length of the body is sent, the body is not
};

/// 204 and 304 have neither body nor Content-Length (RFC 9110, 15.3.5 and 15.4.5).
constexpr bool has_body(unsigned status) noexcept {
  return status != 204 && status != 304;
}

/// Appends a complete answer to `out`: status line, the session's fields, the handler's fields, the body, if the status
/// has one. An answer with a stream has no Content-Length, since it ends with the connection (RFC 9112, 6.3). Any
/// thread.
void append_answer(std::string& out, response const&, answer_frame const&);

/// The interim answer to `Expect: 100-continue`.
inline constexpr std::string_view continue_answer = "HTTP/1.1 100 Continue\r\n\r\n";

}  // namespace petstore::server::http
