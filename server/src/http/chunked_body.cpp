// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http/chunked_body.hpp"

#include <algorithm>

#include "http/field.hpp"
#include "http/field_table.hpp"
#include "http/grammar.hpp"
#include "petstore/hex.hpp"

namespace petstore::server::http {
namespace {

/// Leading zeros are allowed, up to this many digits; 2^64 has 17 digits.
constexpr std::size_t size_digits_max = 16;

bool is_quoted_text(char c) noexcept {
  return is_field_value_char(c) && c != '"' && c != '\\';
}

}  // namespace

chunked_body::state chunked_body::decode(std::string_view raw, std::string& body) {
  consumed_ = 0;
  while (consumed_ < raw.size()) {
    if (next_ == expect::data) {
      auto const n = static_cast<std::size_t>(std::min<std::uint64_t>(chunk_left_, raw.size() - consumed_));
      body.append(raw, consumed_, n);
      consumed_ += n;
      chunk_left_ -= n;
      if (chunk_left_ == 0) next_ = expect::data_cr;
      continue;
    }
    state const s = take(raw[consumed_++]);
    if (s != state::unfinished) return s;
  }
  return state::unfinished;
}

chunked_body::state chunked_body::take(char c) {
  switch (next_) {
    case expect::size_begin:
    case expect::size: return take_of_size(c);
    case expect::extension_name_begin:
    case expect::extension_name:
    case expect::extension_value_begin:
    case expect::extension_token:
    case expect::extension_quoted:
    case expect::extension_escaped:
    case expect::extension_end: return take_of_extension(c);
    case expect::size_lf:
      return c == '\n' ? begin_data() : refuse(errc::malformed_http, "The size of a chunk does not end in CRLF.");
    case expect::data: break;  // decode takes it as a block
    case expect::data_cr:
      if (c == '\r') return go(expect::data_lf);
      return refuse(errc::malformed_http, "A chunk is longer than its size.");
    case expect::data_lf:
      if (c == '\n') return go(expect::size_begin);
      return refuse(errc::malformed_http, "A chunk does not end in CRLF.");
    case expect::trailer_begin:
    case expect::trailer_name:
    case expect::trailer_value:
    case expect::trailer_lf:
    case expect::final_lf: return take_of_trailer(c);
  }
  return state::unfinished;
}

chunked_body::state chunked_body::take_of_size(char c) {
  int const digit = hex_value(c);
  if (digit >= 0) {
    if (next_ == expect::size_begin) {
      chunk_left_ = 0;
      size_digits_ = 0;
    }
    if (++size_digits_ > size_digits_max) return refuse(errc::malformed_http, "The size of a chunk is too long.");
    chunk_left_ = chunk_left_ * 16 + static_cast<unsigned>(digit);
    return go(expect::size);
  }
  if (next_ == expect::size_begin) return refuse(errc::malformed_http, "The size of a chunk is missing.");
  return take_after_size(c);
}

chunked_body::state chunked_body::take_after_size(char c) {
  if (c == ';') return go(expect::extension_name_begin);
  if (c == '\r') return go(expect::size_lf);
  return refuse(errc::malformed_http, "The line with the size of a chunk is malformed.");
}

chunked_body::state chunked_body::take_of_extension(char c) {
  if (++extension_bytes_ > limits_.header_bytes_max) {
    return refuse(errc::malformed_http, "The chunk extensions are too long.");
  }
  switch (next_) {
    case expect::extension_name_begin:
      if (is_token_char(c)) return go(expect::extension_name);
      break;
    case expect::extension_name:
      if (is_token_char(c)) return state::unfinished;
      if (c == '=') return go(expect::extension_value_begin);
      return take_after_size(c);
    case expect::extension_value_begin:
      if (c == '"') return go(expect::extension_quoted);
      if (is_token_char(c)) return go(expect::extension_token);
      break;
    case expect::extension_token: return is_token_char(c) ? state::unfinished : take_after_size(c);
    case expect::extension_quoted:
      if (c == '"') return go(expect::extension_end);
      if (c == '\\') return go(expect::extension_escaped);
      if (is_quoted_text(c)) return state::unfinished;
      break;
    case expect::extension_escaped:
      if (is_field_value_char(c)) return go(expect::extension_quoted);
      break;
    default: return take_after_size(c);
  }
  return refuse(errc::malformed_http, "A chunk extension is malformed.");
}

chunked_body::state chunked_body::begin_data() {
  if (chunk_left_ == 0) return go(expect::trailer_begin);
  if (chunk_left_ > bytes_max_ - body_bytes_) return state::too_large;
  body_bytes_ += static_cast<std::size_t>(chunk_left_);
  return go(expect::data);
}

chunked_body::state chunked_body::take_of_trailer(char c) {
  bool const is_empty_line = next_ == expect::final_lf || (next_ == expect::trailer_begin && c == '\r');
  if (!is_empty_line && ++trailer_bytes_ > limits_.header_bytes_max) {
    return refuse(errc::headers_too_large, "The trailers are too long.");
  }
  switch (next_) {
    case expect::trailer_begin:
      if (c == '\r') return go(expect::final_lf);
      if (!is_token_char(c)) break;
      if (++trailers_ > limits_.header_fields_max) {
        return refuse(errc::headers_too_large, "There are too many trailers.");
      }
      trailer_name_size_ = 0;
      [[fallthrough]];
    case expect::trailer_name:
      if (is_token_char(c)) {
        if (trailer_name_size_ < trailer_name_.size()) trailer_name_[trailer_name_size_] = c;
        ++trailer_name_size_;
        return go(expect::trailer_name);
      }
      if (c != ':') break;
      if (is_forbidden_trailer()) return refuse(errc::malformed_http, "A field is not allowed as a trailer.");
      return go(expect::trailer_value);
    case expect::trailer_value:
      if (c == '\r') return go(expect::trailer_lf);
      if (is_field_value_char(c)) return state::unfinished;
      break;
    case expect::trailer_lf:
      if (c == '\n') return go(expect::trailer_begin);
      break;
    default: return c == '\n' ? state::complete : refuse(errc::malformed_http, "The body does not end in CRLF.");
  }
  return refuse(errc::malformed_http, "A trailer is malformed.");
}

bool chunked_body::is_forbidden_trailer() const noexcept {
  if (trailer_name_size_ > trailer_name_.size()) return false;
  std::string_view const name{trailer_name_.data(), trailer_name_size_};
  return std::ranges::any_of(
      field_table, [&](auto const& row) { return row.forbidden_trailer && equals_ignoring_case(name, row.name); });
}

chunked_body::state chunked_body::go(expect next) noexcept {
  next_ = next;
  return state::unfinished;
}

chunked_body::state chunked_body::refuse(errc code, std::string_view message) {
  refusal_ = {code, message};
  return state::refused;
}

void chunked_body::restart() noexcept {
  next_ = expect::size_begin;
  body_bytes_ = extension_bytes_ = trailer_bytes_ = trailers_ = 0;
}

}  // namespace petstore::server::http
