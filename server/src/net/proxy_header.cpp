// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/proxy_header.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "petstore/whole_number.hpp"

namespace petstore::server {
namespace {

using progress = proxy_header::progress;

constexpr proxy_header unfinished{};
constexpr proxy_header malformed{.state = progress::malformed, .size = 0, .client = {}};

proxy_header complete(std::size_t size, std::optional<raw_address> client = {}) noexcept {
  return {.state = progress::complete, .size = size, .client = client};
}

bool agree(std::string_view bytes, std::string_view beginning) noexcept {
  std::size_t const n = std::min(bytes.size(), beginning.size());
  return bytes.substr(0, n) == beginning.substr(0, n);
}

// --- version 1: PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\n

constexpr std::string_view text_beginning = "PROXY ";
constexpr std::size_t line_bytes_max = 107;  // including its line end

/// The next word of a line whose words are separated by one space each.
std::string_view take_word(std::string_view& rest) noexcept {
  auto const end = std::min(rest.find(' '), rest.size());
  auto const word = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return word;
}

bool is_port(std::string_view digits) noexcept {
  bool const has_leading_zero = digits.size() > 1 && digits.front() == '0';
  return whole_number<std::uint16_t>(digits) && !has_leading_zero;
}

std::optional<raw_address> parse_of_family(std::string_view text, bool is_v6) noexcept {
  bool const looks_v6 = text.find(':') != std::string_view::npos;
  return looks_v6 == is_v6 ? parse_address(text) : std::nullopt;
}

proxy_header parse_line(std::string_view line, std::size_t size) noexcept {
  if (line == "UNKNOWN" || line.starts_with("UNKNOWN ")) return complete(size);
  if (line.ends_with(' ')) return malformed;
  auto const family = take_word(line);
  if (family != "TCP4" && family != "TCP6") return malformed;
  bool const is_v6 = family == "TCP6";
  auto const source = parse_of_family(take_word(line), is_v6);
  auto const destination = parse_of_family(take_word(line), is_v6);
  bool const has_ports = is_port(take_word(line)) && is_port(take_word(line));
  return source && destination && has_ports && line.empty() ? complete(size, source) : malformed;
}

proxy_header parse_text(std::string_view bytes) noexcept {
  auto const end = bytes.substr(0, line_bytes_max).find('\n');
  if (end == std::string_view::npos) return bytes.size() < line_bytes_max ? unfinished : malformed;
  if (end <= text_beginning.size() || bytes[end - 1] != '\r') return malformed;
  return parse_line(bytes.substr(text_beginning.size(), end - 1 - text_beginning.size()), end + 1);
}

// --- version 2: signature, version and command, family and transport, length, addresses, extensions

constexpr std::string_view signature{"\r\n\r\n\0\r\nQUIT\n", 12};
constexpr std::size_t fixed_bytes = 16;

enum : unsigned char { version_2_local = 0x20, version_2_proxy = 0x21 };
enum : unsigned char { unspecified = 0x00, tcp_over_v4 = 0x11, tcp_over_v6 = 0x21, unix_stream = 0x31 };

unsigned char at(std::string_view bytes, std::size_t i) noexcept {
  return static_cast<unsigned char>(bytes[i]);
}

/// The size of source and destination, with a port each; 0 for families whose addresses are ignored.
constexpr std::size_t address_bytes(unsigned char family) noexcept {
  if (family == tcp_over_v4) return 2 * (4 + 2);
  return family == tcp_over_v6 ? 2 * (16 + 2) : 0;
}

std::optional<raw_address> source_of(unsigned char family, std::string_view addresses) noexcept {
  if (address_bytes(family) == 0) return std::nullopt;
  raw_address a{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  std::size_t const n = family == tcp_over_v4 ? 4 : 16;
  std::ranges::transform(addresses.substr(0, n), a.end() - n, [](char c) { return static_cast<unsigned char>(c); });
  return a;
}

proxy_header parse_binary(std::string_view bytes) noexcept {
  if (bytes.size() < fixed_bytes) {
    bool const has_command = bytes.size() > signature.size();
    bool const is_known = !has_command || (at(bytes, 12) | 1) == version_2_proxy;
    return is_known ? unfinished : malformed;
  }
  unsigned char const command = at(bytes, 12);
  unsigned char const family = at(bytes, 13);
  std::size_t const size = fixed_bytes + std::size_t{256} * at(bytes, 14) + at(bytes, 15);
  if ((command | 1) != version_2_proxy || size > proxy_header_bytes_max) return malformed;
  if (command == version_2_proxy) {
    constexpr std::array known{unspecified, tcp_over_v4, tcp_over_v6, unix_stream};
    bool const is_known = std::ranges::find(known, family) != known.end();
    if (!is_known || size < fixed_bytes + address_bytes(family)) return malformed;
  }
  if (bytes.size() < size) return unfinished;
  if (command == version_2_local) return complete(size);
  return complete(size, source_of(family, bytes.substr(fixed_bytes)));
}

}  // namespace

proxy_header parse_proxy_header(std::string_view bytes) noexcept {
  if (bytes.empty()) return unfinished;
  if (agree(bytes, text_beginning)) return parse_text(bytes);
  return agree(bytes, signature) ? parse_binary(bytes) : malformed;
}

}  // namespace petstore::server
