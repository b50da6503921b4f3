// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "petstore/server/response.hpp"

namespace petstore::server::http {

/// What an answer says of its connection.
enum class persistence : std::uint8_t {
  keep,          ///< HTTP/1.1's default, nothing is said
  keep_and_say,  ///< to HTTP/1.0, which has to be told
  close,
};

/// What the session adds to a handler's answer.
struct answer_frame {
  std::string_view date_line;  ///< with its CRLF
  std::string_view request_id;
  http::persistence persistence = persistence::keep;
  bool to_head = false;  ///< the body is announced and left out
};

/// Appends a whole answer to `out`: status line, the session's fields, the handler's, the body. 204 and 304 have
/// neither body nor Content-Length (RFC 9110, 15.3.5 and 15.4.5); one with a stream has no Content-Length, as its end
/// is that of the connection (RFC 9112, 6.3). Any thread.
void append_answer(std::string& out, response const&, answer_frame const&);

/// The interim answer to `Expect: 100-continue`.
inline constexpr std::string_view continue_answer = "HTTP/1.1 100 Continue\r\n\r\n";

}  // namespace petstore::server::http
