// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http1/head_scan.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

namespace petstore::server::http1 {
namespace {

/// The offset of the first byte below 0x20 from `from` on, or the size. A head has two such bytes a line, so eight
/// bytes are judged at a time.
std::size_t find_control(std::string_view s, std::size_t from) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    constexpr std::uint64_t each_20 = 0x2020202020202020, each_80 = 0x8080808080808080;
    for (; s.size() - from >= 8; from += 8) {
      std::uint64_t word;
      std::memcpy(&word, s.data() + from, 8);
      // A byte's high bit is set where the byte is below 0x20. A borrow can spoil only bytes above the first such one.
      std::uint64_t const low = (word - each_20) & ~word & each_80;
      if (low != 0) return from + static_cast<std::size_t>(std::countr_zero(low)) / 8;
    }
  }
  while (from < s.size() && static_cast<unsigned char>(s[from]) >= 0x20) ++from;
  return from;
}

}  // namespace

head_scan::state head_scan::scan(std::string_view head) {
  for (;;) {
    bool const at_line_start = position_ == line_start_ && !in_request_line();
    if (at_line_start && position_ < head.size() && head[position_] != '\r') {
      if (head[position_] == ' ' || head[position_] == '\t') {
        return refuse(errc::malformed_http, "A header line begins with white space.");
      }
      if (++fields_ > limits_.header_fields_max) {
        return refuse(errc::headers_too_large, "There are too many header fields.");
      }
      // So that the line's first byte is not counted again when the rest of it comes later.
      if (is_beyond(position_)) return refuse_size();
      if (static_cast<unsigned char>(head[position_]) >= 0x20) ++position_;
    }

    std::size_t const found = find_control(head, position_);
    if (found > position_ && is_beyond(found - 1)) return refuse_size();
    position_ = found;
    if (found == head.size()) return state::unfinished;

    bool const is_empty_line = found == line_start_ && !in_request_line();
    if (!is_empty_line && head[found] != '\r' && is_beyond(found)) return refuse_size();
    if (head[found] == '\t' && !in_request_line()) {
      ++position_;
      continue;
    }
    if (head[found] != '\r') return refuse(errc::malformed_http, "The head contains a bare LF or a control character.");

    // The request line is counted without its CRLF, the field lines with theirs, the empty line not at all.
    bool const counts_ending = !is_empty_line && !in_request_line();
    if (counts_ending && is_beyond(found)) return refuse_size();
    if (found + 1 == head.size()) return state::unfinished;
    if (counts_ending && is_beyond(found + 1)) return refuse_size();
    if (head[found + 1] != '\n') return refuse(errc::malformed_http, "The head contains a bare CR.");
    position_ = found + 2;
    if (is_empty_line) return state::complete;
    if (in_request_line()) line_size_ = position_;
    line_start_ = position_;
  }
}

bool head_scan::is_beyond(std::size_t offset) const noexcept {
  return in_request_line() ? offset >= limits_.request_line_bytes_max : offset - line_size_ >= limits_.header_bytes_max;
}

head_scan::state head_scan::refuse_size() {
  if (in_request_line()) return refuse(errc::uri_too_long, "The request line is too long.");
  return refuse(errc::headers_too_large, "The header fields are too long.");
}

head_scan::state head_scan::refuse(errc code, std::string_view message) {
  refusal_ = {code, message};
  return state::refused;
}

void head_scan::restart() noexcept {
  position_ = 0;
  line_start_ = 0;
  line_size_ = 0;
  fields_ = 0;
}

}  // namespace petstore::server::http1
