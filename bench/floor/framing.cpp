// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "framing.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

namespace petstore::bench {
namespace {

constexpr std::string_view version = "HTTP/1.1 ";
constexpr std::size_t status_digits = 3;

bool is_name(std::string_view text, std::string_view lower_case) noexcept {
  if (text.size() != lower_case.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char const c = text[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != lower_case[i]) return false;
  }
  return true;
}

template <class Number>
std::optional<Number> read_number(std::string_view text) noexcept {
  Number n{};
  auto const [end, fault] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (fault != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return n;
}

/// Removes a line from the front of `rest` and returns it without its CR LF; nullopt if it is not complete.
std::optional<std::string_view> take_line(std::string_view& rest) noexcept {
  auto const end = rest.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  auto line = rest.substr(0, end);
  if (line.ends_with('\r')) line.remove_suffix(1);
  rest.remove_prefix(end + 1);
  return line;
}

std::optional<unsigned> read_status(std::string_view line) noexcept {
  if (!line.starts_with(version)) return std::nullopt;
  return read_number<unsigned>(line.substr(version.size(), status_digits));
}

bool has_no_body(unsigned status) noexcept {
  return status < 200 || status == 204 || status == 304;
}

}  // namespace

std::size_t head_length(std::string_view bytes) noexcept {
  constexpr std::string_view end = "\r\n\r\n";
  auto const at = bytes.find(end);
  return at == std::string_view::npos ? 0 : at + end.size();
}

answer read_answer(std::string_view bytes) noexcept {
  auto rest = bytes;
  auto const first = take_line(rest);
  if (!first) return {};
  auto const status = read_status(*first);
  if (!status) return {.state = framing::malformed};

  std::optional<std::size_t> body;
  for (;;) {
    auto const line = take_line(rest);
    if (!line) return {};
    if (line->empty()) break;
    // A quick check: few fields begin with these two letters, and the client must cost less than any server.
    if ((line->front() | 0x20) != 'c' && (line->front() | 0x20) != 't') continue;
    auto const colon = line->find(':');
    if (colon == std::string_view::npos) return {.state = framing::malformed};
    auto const name = line->substr(0, colon);
    if (is_name(name, "transfer-encoding")) return {.state = framing::malformed};
    if (!is_name(name, "content-length")) continue;
    auto value = line->substr(colon + 1);
    value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
    auto const length = read_number<std::size_t>(value);
    if (!length || body) return {.state = framing::malformed};
    body = length;
  }
  if (has_no_body(*status)) body = 0;
  if (!body) return {.state = framing::malformed};
  // Compared without a sum, which would overflow for a length of nearly 2^64.
  if (rest.size() < *body) return {};
  return {.state = framing::complete, .status = *status, .length = bytes.size() - rest.size() + *body};
}

std::string make_answer(std::size_t bytes) {
  if (bytes < answer_bytes_min) throw std::invalid_argument("an answer cannot be that short");
  std::string text = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ";
  // The number has a fixed count of digits, since the length of the head depends on it.
  constexpr std::size_t digits = 9;
  auto const body = bytes - text.size() - digits - 4;
  auto const number = std::to_string(body);
  if (number.size() > digits) throw std::invalid_argument("an answer cannot be that long");
  text.append(digits - number.size(), '0').append(number).append("\r\n\r\n").append(body, 'x');
  return text;
}

}  // namespace petstore::bench
