// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Where messages of HTTP/1.1 end: all that the floor and the load client know of the protocol. Pure functions over
// bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace petstore::bench {

/// The length of the head that `bytes` begins with, its empty line included; 0 while that has not arrived.
std::size_t head_length(std::string_view bytes) noexcept;

enum class framing {
  complete,
  incomplete,
  malformed,  ///< no answer of HTTP/1.1, or one whose end does not follow from a Content-Length
};

/// The answer that some bytes begin with. Status and length are known when it is complete.
struct answer {
  framing state = framing::incomplete;
  unsigned status = 0;
  std::size_t length = 0;  ///< of head and body
};

answer read_answer(std::string_view bytes) noexcept;

/// The shortest answer that make_answer can make.
inline constexpr std::size_t answer_bytes_min = 128;

/// A complete 200 of exactly so many bytes, head included. Throws std::invalid_argument below answer_bytes_min.
std::string make_answer(std::size_t bytes);

}  // namespace petstore::bench
