// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "client/answer.hpp"

namespace petstore::load {

/// The state of reading an answer.
enum class reading : std::uint8_t {
  incomplete,
  complete,
  malformed,  ///< not an answer of HTTP/1.1, or more bytes than the answer announced
  too_large,  ///< larger than head_bytes_max or body_bytes_max
  closed,     ///< the connection ended within the answer, or before it
};

/// Finds the end of each answer on a connection (RFC 9112 section 6.3): by Content-Length, by chunks, by the end of the
/// connection, or with the head. It is strict, because a figure from a misread answer is worse than none: two lengths,
/// a length together with chunks, names that are not tokens, folded lines and codings other than chunked are malformed.
///
/// An answer that arrives in one piece is not copied. Otherwise the head is copied, and the body if it is needed. Both
/// buffers are reused for the next answer, so a connection soon stops allocating.
///
/// Thread safety: none.
class answer_reader {
 public:
  static constexpr std::size_t head_bytes_max = 64 * 1024;        ///< for all heads before a body, and trailers
  static constexpr std::size_t body_bytes_max = 8 * 1024 * 1024;  ///< for a body that is kept; others have no limit
  static constexpr std::size_t chunk_line_bytes_max = 1'024;

  /// Begins to read the answer to a new request.
  void expect(bool request_was_head, bool keep_body) noexcept;

  /// Reads the bytes that have arrived. After any result but `incomplete`, call `expect` first.
  reading read(std::string_view bytes);

  /// The connection was closed in order. This completes an answer that has no other end.
  reading end();

  /// The complete answer; valid until the next call, and only as long as the bytes of the last `read`.
  answer_view const& answer() const noexcept { return answer_; }
  bool keeps_connection() const noexcept { return keeps_connection_; }
  /// A phrase for users, after `malformed` or `too_large`.
  char const* mistake() const noexcept { return mistake_; }

 private:
  enum class part : std::uint8_t { head, sized, chunk_size, chunk, chunk_end, trailers, until_close, over };

  reading read_part(std::string_view& bytes);
  reading read_head(std::string_view& bytes);
  reading parse_head(std::string_view head);
  reading note_field(std::string_view name, std::string_view value);
  reading begin_body(std::string_view head);
  reading read_sized(std::string_view& bytes);
  reading read_chunk(std::string_view& bytes);
  reading read_chunk_size(std::string_view line);
  reading read_line(std::string_view& bytes);
  reading read_until_close(std::string_view& bytes);
  reading keep(std::string_view of_body);
  reading complete() noexcept;
  reading fail(reading, char const* mistake) noexcept;

  answer_view answer_;
  std::string head_;            ///< the head of an answer that arrives in pieces
  std::string body_;            ///< the kept body of such an answer
  std::string line_;            ///< an incomplete line of a chunked body
  std::uint64_t left_ = 0;      ///< missing bytes of the body, or of the chunk
  std::uint64_t length_ = 0;    ///< the value of Content-Length
  std::size_t head_bytes_ = 0;  ///< bytes of interim answers and trailers
  char const* mistake_ = "";
  part part_ = part::over;
  bool request_was_head_ = false;
  bool keeps_body_ = false;
  bool keeps_connection_ = false;
  bool says_close_ = false;
  bool says_keep_alive_ = false;
  bool has_length_ = false;
  bool is_chunked_ = false;
};

}  // namespace petstore::load
