// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Finds the ends of HTTP/1.1 messages; the floor and the load client know no more of the protocol. Pure functions over
// bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace petstore::bench {

/// The length of the head at the beginning of `bytes`, with its empty line; 0 if it is not complete.
std::size_t head_length(std::string_view bytes) noexcept;

enum class framing {
  complete,
  incomplete,
  malformed,  ///< not an answer of HTTP/1.1, or an answer whose Content-Length does not say where it ends
};

/// The answer at the beginning of some bytes. Status and length are set if it is complete.
struct answer {
  framing state = framing::incomplete;
  unsigned status = 0;
  std::size_t length = 0;  ///< the length of head and body
};

answer read_answer(std::string_view bytes) noexcept;

/// The shortest answer that make_answer can make.
inline constexpr std::size_t answer_bytes_min = 128;

/// A complete 200 of exactly this many bytes with its head. Throws std::invalid_argument below answer_bytes_min.
std::string make_answer(std::size_t bytes);

}  // namespace petstore::bench
