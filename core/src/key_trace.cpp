// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/key_trace.hpp"

#include <array>

#include "petstore/api_key.hpp"
#include "petstore/hex.hpp"

namespace petstore {
namespace {

// A trace of a key has at least 28 letters and digits in a row, of both cases. Half a key has as many. Identifiers that
// people look for in a log have fewer (KSUID 27, ULID 26) or only one case (UUIDs, hexadecimal digests and trace ids).

struct decoded {
  char character = 0;
  std::size_t size = 0;  ///< the size of its text; 0 at the end
};

/// The character at a position of the text, which may be percent-encoded.
decoded decode_at(std::string_view text, std::size_t at) noexcept {
  if (at >= text.size()) return {};
  if (text[at] == '%' && at + 2 < text.size()) {
    int const byte = hex_value(text[at + 1], text[at + 2]);
    if (byte >= 0) return {static_cast<char>(byte), 3};
  }
  return {text[at], 1};
}

/// The size of the text of `expected` at `at`; 0 if it is not there.
std::size_t match_at(std::string_view text, std::size_t at, std::string_view expected) noexcept {
  std::size_t const begin = at;
  for (char const c : expected) {
    auto const d = decode_at(text, at);
    if (d.size == 0 || d.character != c) return 0;
    at += d.size;
  }
  return at - begin;
}

/// A sequence of letters and digits.
struct run {
  std::size_t begin = 0;
  std::size_t count = 0;
  bool has_capital = false;
  bool has_small = false;

  /// Adds a character if it is a letter or digit; returns whether it is.
  bool take(char c) noexcept {
    bool const is_capital = c >= 'A' && c <= 'Z';
    bool const is_small = c >= 'a' && c <= 'z';
    if (!is_capital && !is_small && !(c >= '0' && c <= '9')) return false;
    has_capital |= is_capital;
    has_small |= is_small;
    ++count;
    return true;
  }
  bool is_trace() const noexcept { return count >= key_trace_digits_min && has_capital && has_small; }
};

std::size_t end_of_run(std::string_view text, std::size_t at) noexcept {
  run r;
  for (auto d = decode_at(text, at); d.size != 0 && r.take(d.character); d = decode_at(text, at)) at += d.size;
  return at;
}

std::optional<key_trace> find_prefix_at(std::string_view text, std::size_t at) noexcept {
  for (auto const e : {environment::production, environment::staging}) {
    auto const prefix = api_key_prefix(e);
    if (auto const size = match_at(text, at, prefix)) return key_trace{at, end_of_run(text, at + size), prefix};
  }
  return std::nullopt;
}

}  // namespace

std::optional<key_trace> find_key_trace(std::string_view text, std::size_t from) noexcept {
  run row{.begin = from};
  for (std::size_t at = from; at < text.size();) {
    auto const d = decode_at(text, at);
    auto const prefixed = d.character == 'p' ? find_prefix_at(text, at) : std::nullopt;
    if (prefixed && !row.is_trace()) return prefixed;
    if (!prefixed && row.take(d.character)) {
      at += d.size;
      continue;
    }
    if (row.is_trace()) return key_trace{row.begin, at, {}};
    at += d.size;
    row = run{.begin = at};
  }
  if (row.is_trace()) return key_trace{row.begin, text.size(), {}};
  return std::nullopt;
}

void append_without_keys(std::string& out, std::string_view text) {
  std::size_t copied = 0;
  while (auto const trace = find_key_trace(text, copied)) {
    out.append(text.substr(copied, trace->begin - copied)).append(trace->prefix).append("***");
    copied = trace->end;
  }
  out.append(text.substr(copied));
}

}  // namespace petstore
