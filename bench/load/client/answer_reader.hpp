// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "client/answer.hpp"

namespace petstore::load {

/// How far the reading of an answer has come.
enum class reading : std::uint8_t {
  incomplete,
  complete,
  malformed,  ///< what came is no answer of HTTP/1.1, or more than the answer says of itself
  too_large,  ///< beyond head_bytes_max or body_bytes_max
  closed,     ///< the connection ended within the answer, or before it
};

/// Finds where the answers of one connection end (RFC 9112 section 6.3): by Content-Length, by chunks, by the end of
/// the connection, or with the head. Strict, because a figure made of an answer that was misread is worse than none:
/// two lengths, a length beside chunks, names that are no tokens, folded lines and codings other than chunked are
/// malformed.
///
/// An answer that comes in one piece is not copied. Otherwise the head is kept, and the body if it is asked for; both
/// keep their memory for the next answer, so that a connection soon allocates nothing.
///
/// Thread safety: none.
class answer_reader {
 public:
  static constexpr std::size_t head_bytes_max = 64 * 1024;        ///< of all heads before a body, trailers as well
  static constexpr std::size_t body_bytes_max = 8 * 1024 * 1024;  ///< of a body that is kept; others have no limit
  static constexpr std::size_t chunk_line_bytes_max = 1'024;

  /// From now on the answer to a new request is read.
  void expect(bool request_was_head, bool keep_body) noexcept;

  /// Reads what has come. After anything but `incomplete` nothing more may be read until the next `expect`.
  reading read(std::string_view bytes);

  /// The connection was closed in order. Completes an answer that has no other end.
  reading end();

  /// What was read, once it is complete: valid until the next call, and as long as the bytes that were read last.
  answer_view const& answer() const noexcept { return answer_; }
  bool keeps_connection() const noexcept { return keeps_connection_; }
  /// In a phrase for a person, after `malformed` or `too_large`.
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
  std::string head_;            ///< of an answer that comes in pieces
  std::string body_;            ///< kept, likewise
  std::string line_;            ///< of a chunked body, likewise
  std::uint64_t left_ = 0;      ///< bytes of the body, or of the chunk
  std::uint64_t length_ = 0;    ///< as Content-Length says
  std::size_t head_bytes_ = 0;  ///< of interim answers and trailers
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
