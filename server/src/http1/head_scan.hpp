// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "http1/refusal.hpp"

namespace petstore::server::http1 {

struct head_limits {
  std::size_t request_line_bytes_max = 8 * 1024;  ///< without its CRLF
  std::size_t header_bytes_max = 8 * 1024;        ///< all field lines with their CRLFs
  std::size_t header_fields_max = 100;
};

/// Finds the end of a request's head while it arrives, and refuses as soon as it is seen what no head may contain: a
/// line that does not end in CRLF, any other control character, a folded line, and more than the limits allow. What
/// the lines say is the parser's business.
///
/// However the bytes are cut into pieces, the verdict is the same as for all of them at once. One thread.
class head_scan {
 public:
  enum class state : std::uint8_t { unfinished, complete, refused };

  explicit head_scan(head_limits const& limits) : limits_{limits} {}

  /// `head` holds all bytes from the first one of the request line on; what was looked at before is not looked at
  /// again.
  state scan(std::string_view head);

  /// Of the request line with its CRLF; 0 until that has been seen.
  std::size_t line_size() const noexcept { return line_size_; }
  /// Of the whole head with its empty line, once complete.
  std::size_t size() const noexcept { return position_; }
  http1::refusal const& refusal() const noexcept { return refusal_; }

  /// For the next head.
  void restart() noexcept;

 private:
  bool in_request_line() const noexcept { return line_size_ == 0; }
  /// Whether a byte at that offset, of the line that is being read, is one too many.
  bool is_beyond(std::size_t offset) const noexcept;
  state refuse_size();
  state refuse(errc, std::string_view message);

  head_limits limits_;
  std::size_t position_ = 0;  ///< everything before it is judged
  std::size_t line_start_ = 0;
  std::size_t line_size_ = 0;
  std::size_t fields_ = 0;
  http1::refusal refusal_;
};

}  // namespace petstore::server::http1
