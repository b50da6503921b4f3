// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "scenario/text_template.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace petstore::load {
namespace {

constexpr std::string_view hex = "0123456789abcdef";

template <class Number>
void append_number(std::string& out, Number n) {
  std::array<char, 24> digits;
  auto const end = std::to_chars(digits.data(), digits.data() + digits.size(), n).ptr;
  out.append(digits.data(), end);
}

void append_uuid(std::string& out, chance& random) {
  constexpr std::uint64_t version = 0x4000, variant = 0x8000'0000'0000'0000;
  std::array const words{(random.bits() & ~std::uint64_t{0xf000}) | version, (random.bits() >> 2) | variant};
  std::array<char, 36> text;
  std::size_t at = 0;
  for (unsigned nibble = 0; nibble < 32; ++nibble) {
    if (nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20) text[at++] = '-';
    text[at++] = hex[(words[nibble / 16] >> (60 - nibble % 16 * 4)) & 0xf];
  }
  out.append(text.data(), text.size());
}

/// Whether a character means the same everywhere in a target (RFC 3986 section 2.3).
bool is_unreserved(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~").find(c) != std::string_view::npos;
}

void append_to_path(std::string& out, std::string_view value) {
  for (char const c : value) {
    auto const byte = static_cast<unsigned char>(c);
    if (is_unreserved(c)) {
      out += c;
    } else {
      out += '%';
      out += hex[byte >> 4];
      out += hex[byte & 0xf];
    }
  }
}

/// Escapes a text within the quotes of a JSON string. It has no control characters: such values are not captured.
void append_to_body(std::string& out, std::string_view value) {
  for (char const c : value) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
}

struct writer {
  std::string& out;
  filling const& with;
  text_place place;

  void operator()(std::string const& text) const { out += text; }
  void operator()(text_template::integer const& range) const {
    append_number(out, with.random.between(range.least, range.most));
  }
  void operator()(text_template::choice const& among) const {
    write_value(among.words[with.random.below(among.words.size())]);
  }
  void operator()(text_template::uuid) const { append_uuid(out, with.random); }
  void operator()(text_template::count) const { append_number(out, with.counter.take()); }
  void operator()(text_template::time unit) const { append_number(out, with.unix_ms / (unit.in_ms ? 1 : 1'000)); }
  void operator()(text_template::captured from) const { write_value(with.captured[from.slot]); }

  void write_value(std::string_view value) const {
    switch (place) {
      case text_place::path: return append_to_path(out, value);
      case text_place::field: out += value; return;
      case text_place::body: return append_to_body(out, value);
    }
  }
};

}  // namespace

text_template::text_template(std::string fixed) {
  if (!fixed.empty()) parts_.emplace_back(std::move(fixed));
}

bool text_template::is_fixed() const noexcept {
  return parts_.empty() || (parts_.size() == 1 && std::holds_alternative<std::string>(parts_.front()));
}

bool text_template::fixed_parts_are(bool (*is_allowed)(char)) const {
  return std::ranges::all_of(parts_, [&](part const& p) {
    auto const* const text = std::get_if<std::string>(&p);
    return text == nullptr || std::ranges::all_of(*text, is_allowed);
  });
}

void text_template::append_to(std::string& out, filling const& with, text_place place) const {
  for (auto const& p : parts_) std::visit(writer{out, with, place}, p);
}

}  // namespace petstore::load
