// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http1/refusal.hpp"
#include "petstore/server/request.hpp"

/// What a head means: the strict reading of RFC 9112 around Beast's parser, which alone would accept, among others, a
/// Content-Length given twice, Transfer-Encoding in HTTP/1.0, and two Host fields. Any thread.
namespace petstore::server::http1 {

/// A parsed head. Views into the bytes it was parsed from. Kept and parsed into again, so that its memory is reused.
struct head {
  server::request request;  ///< without body and request id; its fields are those below
  bool keep_alive = false;
  bool chunked = false;
  std::uint64_t content_length = 0;
  bool expects_continue = false;

  std::vector<header_field> fields;
  std::string joined_target;  ///< of an absolute-form whose path is empty before a query, as its parts do not adjoin
};

/// Refuses a request line that no request can begin with, so that the answer need not wait for the rest of the head.
/// `line` is a whole one with its CRLF.
std::optional<refusal> judge_request_line(std::string_view line);

/// `bytes` is a head that head_scan found complete. When it is refused, `out` holds what was understood until then.
std::optional<refusal> parse_head(std::string_view bytes, head& out);

}  // namespace petstore::server::http1
