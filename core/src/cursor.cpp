// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/cursor.hpp"

#include <array>
#include <cstddef>

#include "petstore/crc32c.hpp"
#include "petstore/enumeration.hpp"

namespace petstore {
namespace {

// The bytes, integers big-endian:
//   version  1   1
//   kind     1   record_kind
//   filters  1   bit i: the value of filter i follows
//   values   each as wide as its filter
//   after    8
//   crc32c   4   of everything before it
constexpr unsigned char version = 1;
constexpr std::size_t bytes_max = 3 + 8 * filters_max + 8 + 4;
constexpr std::size_t text_max = (bytes_max * 8 + 5) / 6;

constexpr std::string_view base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// A buffer of fixed size for packed integers. `take` past the end returns 0 and sets `overrun`.
struct packed {
  std::array<char, bytes_max> bytes{};
  std::size_t size = 0;
  std::size_t taken = 0;
  bool overrun = false;

  std::string_view view() const noexcept { return {bytes.data(), size}; }

  void put(std::uint64_t value, std::size_t width) noexcept {
    for (std::size_t i = width; i-- != 0;) bytes[size++] = static_cast<char>(value >> 8 * i);
  }
  std::uint64_t take(std::size_t width) noexcept {
    overrun = overrun || size - taken < width;
    if (overrun) return 0;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < width; ++i) value = value << 8 | static_cast<unsigned char>(bytes[taken++]);
    return value;
  }
};

void append_base64url(std::string& text, std::string_view bytes) {
  std::array<char, text_max> encoded;
  char* to = encoded.data();
  auto const put_digits = [&to](std::uint32_t bits, int count) {
    for (int shift = 18; count-- > 0; shift -= 6) *to++ = base64url[bits >> shift & 63];
  };
  auto const byte = [&bytes](std::size_t i) { return std::uint32_t{static_cast<unsigned char>(bytes[i])}; };
  for (; bytes.size() >= 3; bytes.remove_prefix(3)) put_digits(byte(0) << 16 | byte(1) << 8 | byte(2), 4);
  if (bytes.size() == 2) put_digits(byte(0) << 16 | byte(1) << 8, 3);
  if (bytes.size() == 1) put_digits(byte(0) << 16, 2);
  text.append(encoded.data(), to);
}

/// Accepts only what append_base64url writes: no padding, no other alphabet, and unused bits are zero.
std::optional<packed> from_base64url(std::string_view text) noexcept {
  if (text.size() > text_max) return std::nullopt;
  packed out;
  std::uint32_t bits = 0;
  int held = 0;
  for (char c : text) {
    auto const digit = base64url.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held >= 8) {
      held -= 8;
      out.put(bits >> held & 0xFF, 1);
    }
  }
  if (held >= 6 || (bits & ((1u << held) - 1)) != 0) return std::nullopt;
  return out;
}

}  // namespace

void append(std::string& text, cursor const& c) {
  packed out;
  out.put(version, 1);
  out.put(static_cast<std::uint64_t>(c.kind), 1);
  out.put(bits_of(c.filters), 1);
  auto const known = filters_of(c.kind);
  for (std::size_t i = 0; i < known.size(); ++i)
    if (c.filters[i]) out.put(static_cast<std::uint64_t>(*c.filters[i]), known[i].width);
  out.put(static_cast<std::uint64_t>(c.after), 8);
  out.put(crc32c(out.view()), 4);
  append_base64url(text, out.view());
}

std::string to_string(cursor const& c) {
  std::string text;
  append(text, c);
  return text;
}

std::optional<cursor> parse_cursor(std::string_view text) noexcept {
  auto in = from_base64url(text);
  if (!in || in->take(1) != version) return std::nullopt;
  cursor c;
  c.kind = static_cast<record_kind>(in->take(1));
  auto const bits = in->take(1);
  auto const known = filters_of(c.kind);
  if (word_of(c.kind).empty() || bits >= std::uint64_t{1} << known.size()) return std::nullopt;
  for (std::size_t i = 0; i < known.size(); ++i)
    if ((bits >> i & 1) != 0) c.filters[i] = static_cast<std::int64_t>(in->take(known[i].width));
  c.after = static_cast<std::int64_t>(in->take(8));
  auto const checked = in->view().substr(0, in->taken);
  auto const checksum = in->take(4);
  if (in->overrun || in->taken != in->size || checksum != crc32c(checked)) return std::nullopt;
  return c;
}

}  // namespace petstore
