// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "http/head_parser.hpp"
#include "http/refusal.hpp"

namespace petstore::server::http {

/// Decodes the chunked transfer coding (RFC 9112, 7.1) while it arrives. It is stricter than the RFC where two readers
/// could differ: lines must end in CRLF. White space around chunk extensions (which no sender may write) is refused,
/// and so are trailers that would change the meaning of the head. Extensions and harmless trailers are dropped.
///
/// Beast's parser (1.81) cannot do it: it accepts line feeds and NUL in quoted extensions, holds a line of any length,
/// and puts trailers among the fields of the head, also Host and Authorization. Each byte would be checked before it.
///
/// The result does not depend on how the bytes are cut into pieces. One thread.
class chunked_body {
 public:
  enum class state : std::uint8_t { unfinished, complete, too_large, refused };

  /// The extensions of all chunks together have the limit of a head's fields, and so have the trailers.
  chunked_body(std::size_t body_bytes_max, head_limits const& limits) : bytes_max_{body_bytes_max}, limits_{limits} {}

  /// Appends the part of the body in `raw` to `body`. Once complete, the bytes after `consumed()` do not belong to this
  /// body.
  state decode(std::string_view raw, std::string& body);

  /// The number of bytes used by the last call of `decode`.
  std::size_t consumed() const noexcept { return consumed_; }
  http::refusal const& refusal() const noexcept { return refusal_; }

  /// Prepares for the next body.
  void restart() noexcept;

 private:
  enum class expect : std::uint8_t {
    size_begin,
    size,
    extension_name_begin,
    extension_name,
    extension_value_begin,
    extension_token,
    extension_quoted,
    extension_escaped,
    extension_end,
    size_lf,
    data,
    data_cr,
    data_lf,
    trailer_begin,
    trailer_name,
    trailer_value,
    trailer_lf,
    final_lf,
  };

  state take(char);
  state take_of_size(char);
  state take_after_size(char);
  state take_of_extension(char);
  state take_of_trailer(char);
  state begin_data();
  state go(expect next) noexcept;
  state refuse(errc, std::string_view message);
  bool is_forbidden_trailer() const noexcept;

  std::size_t bytes_max_;
  head_limits limits_;

  expect next_ = expect::size_begin;
  std::uint64_t chunk_left_ = 0;
  std::size_t size_digits_ = 0;
  std::size_t body_bytes_ = 0;
  std::size_t extension_bytes_ = 0;
  std::size_t trailer_bytes_ = 0;
  std::size_t trailers_ = 0;
  std::array<char, 32> trailer_name_{};  ///< the longest forbidden name fits
  std::size_t trailer_name_size_ = 0;

  std::size_t consumed_ = 0;
  http::refusal refusal_;
};

}  // namespace petstore::server::http
