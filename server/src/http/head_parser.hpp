// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "http/head.hpp"
#include "http/refusal.hpp"

namespace petstore::server::http {

struct head_limits {
  std::size_t request_line_bytes_max = 8 * 1024;  ///< without its CRLF
  std::size_t header_bytes_max = 8 * 1024;        ///< all field lines with their CRLFs
  std::size_t header_fields_max = 100;
};

/// Reads a request's head while it arrives, a line as soon as it is whole, and refuses at the first byte with which
/// it is no head of HTTP/1.1 (RFC 9112, 2 to 5) or more than the limits allow. Stricter than the RFC asks for where
/// two readers could differ: a line ends in CRLF and nothing else, no other control character but a field's tab is
/// allowed, and no line is folded. What the fields mean together is the business of judge_head.
///
/// However the bytes are cut into pieces, the outcome is the same. No byte is looked at again when more come. One
/// thread.
class head_parser {
 public:
  enum class state : std::uint8_t { unfinished, complete, refused };

  explicit head_parser(head_limits const&);

  /// `bytes` holds all of them from the first one of the request line on; they may lie elsewhere than the last time, if
  /// `head::follow` has been told. `out` holds what was understood so far.
  state parse(std::string_view bytes, head& out);

  /// Of the whole head with its empty line, once complete.
  std::size_t size() const noexcept { return line_start_; }
  http::refusal const& refusal() const noexcept { return refusal_; }

  /// For the next head.
  void restart() noexcept;

 private:
  state parse_request_line(std::string_view bytes, head&);
  state parse_fields(std::string_view bytes, head&);
  state judge_empty_line(std::string_view rest);
  state judge_line_end(std::string_view bytes, std::size_t size_max, http::refusal const& too_long);
  state refuse(http::refusal const&);

  head_limits limits_;
  std::size_t position_ = 0;    ///< no line ends before it
  std::size_t line_start_ = 0;  ///< every line before it is taken
  std::size_t line_size_ = 0;   ///< of the request line with its CRLF; 0 until that is taken
  http::refusal refusal_;
};

}  // namespace petstore::server::http
