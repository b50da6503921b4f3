// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "http/head.hpp"
#include "http/refusal.hpp"

namespace petstore::server::http {

/// The limits of a head; `connection_limits` has the defaults.
struct head_limits {
  std::size_t request_line_bytes_max;  ///< without its CRLF
  std::size_t header_bytes_max;        ///< all field lines with their CRLFs
  std::size_t header_fields_max;
};

/// Parses a request's head while it arrives, each line as soon as it is complete. It refuses at the first byte that
/// breaks HTTP/1.1 (RFC 9112, 2 to 5) or exceeds the limits. It is stricter than the RFC where two readers could
/// differ: a line must end in CRLF, the tab in a field is the only other control character allowed, and lines cannot be
/// folded. check_head checks what the fields mean together.
///
/// The result does not depend on how the bytes are cut into pieces. No byte is read twice when more bytes arrive. One
/// thread.
class head_parser {
 public:
  enum class state : std::uint8_t { unfinished, complete, refused };

  explicit head_parser(head_limits const&);

  /// `bytes` are all bytes from the first one of the request line on. They may have moved since the last call, if
  /// `head::follow` was called. `out` holds what was parsed so far.
  state parse(std::string_view bytes, head& out);

  /// The size of the whole head with its empty line, once complete.
  std::size_t size() const noexcept { return line_start_; }
  http::refusal const& refusal() const noexcept { return refusal_; }

  /// Prepares for the next head.
  void restart() noexcept;

 private:
  state parse_request_line(std::string_view bytes, head&);
  state parse_fields(std::string_view bytes, head&);
  state check_empty_line(std::string_view rest);
  state check_line_end(std::string_view bytes, std::size_t size_max, http::refusal const& too_long);
  state refuse(http::refusal const&);

  head_limits limits_;
  std::size_t position_ = 0;    ///< no line ends before it
  std::size_t line_start_ = 0;  ///< every line before it is parsed
  std::size_t line_size_ = 0;   ///< of the request line with its CRLF; 0 until that is parsed
  http::refusal refusal_;
};

}  // namespace petstore::server::http
