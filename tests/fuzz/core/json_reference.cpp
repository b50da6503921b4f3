// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "fuzz/core/json_reference.hpp"

#include <algorithm>
#include <array>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/parse.hpp>
#include <string>

namespace petstore::fuzz {
namespace {

namespace json = boost::json;

/// Counts the members of the outer object, repeated ones included; the parsed value has each name only once.
struct member_count {
  using text = json::string_view;
  using code = boost::system::error_code;
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1), max_object_size = max_array_size,
                               max_string_size = max_array_size, max_key_size = max_array_size;
  std::size_t outermost = 0;

  // Inner objects end first, so the last size is that of the outer object.
  bool on_object_end(std::size_t size, code&) {
    outermost = size;
    return true;
  }
  bool on_document_begin(code&) { return true; }
  bool on_document_end(code&) { return true; }
  bool on_object_begin(code&) { return true; }
  bool on_array_begin(code&) { return true; }
  bool on_array_end(std::size_t, code&) { return true; }
  bool on_key_part(text, std::size_t, code&) { return true; }
  bool on_key(text, std::size_t, code&) { return true; }
  bool on_string_part(text, std::size_t, code&) { return true; }
  bool on_string(text, std::size_t, code&) { return true; }
  bool on_number_part(text, code&) { return true; }
  bool on_int64(std::int64_t, text, code&) { return true; }
  bool on_uint64(std::uint64_t, text, code&) { return true; }
  bool on_double(double, text, code&) { return true; }
  bool on_bool(bool, code&) { return true; }
  bool on_null(code&) { return true; }
  bool on_comment_part(text, code&) { return true; }
  bool on_comment(text, code&) { return true; }
};

bool is_white_space(std::u32string_view::value_type c) {
  constexpr std::array<char32_t, 25> spaces{0x09,   0x0A,   0x0B,   0x0C,   0x0D,   0x20,   0x85,   0xA0,   0x1680,
                                            0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008,
                                            0x2009, 0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000};
  return std::ranges::find(spaces, c) != spaces.end();
}

/// The code points of a text, which must be valid UTF-8; the parser has checked that.
std::u32string decode(std::string_view text) {
  std::u32string points;
  for (char const c : text) {
    auto const byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) == 0x80) {
      points.back() = points.back() << 6 | (byte & 0x3F);
    } else {
      points.push_back(byte < 0x80 ? byte : byte < 0xE0 ? byte & 0x1F : byte < 0xF0 ? byte & 0x0F : byte & 0x07);
    }
  }
  return points;
}

}  // namespace

std::optional<json::object> read_object(std::string_view body) {
  boost::system::error_code ec;
  auto value = json::parse(body, ec);
  if (ec || !value.is_object()) return std::nullopt;
  json::basic_parser<member_count> counting{json::parse_options{}};
  counting.write_some(false, body.data(), body.size(), ec);
  if (counting.handler().outermost != value.get_object().size()) return std::nullopt;
  return std::move(value.get_object());
}

bool is_integer(member m) {
  return m && m->is_int64();
}

bool is_id(member m) {
  return is_integer(m) && m->get_int64() > 0;
}

bool is_name(member m) {
  if (!m || !m->is_string()) return false;
  auto const points = decode(m->get_string());
  auto const is_control = [](char32_t c) { return c < 0x20 || (c > 0x7E && c < 0xA0); };
  return points.size() <= 255 && std::ranges::none_of(points, is_control) &&
         !std::ranges::all_of(points, is_white_space);
}

bool is_time(member m) {
  if (!m || !m->is_string()) return false;
  std::string_view const text = m->get_string();
  constexpr std::string_view shape = "dddd-dd-ddTdd:dd:dd.dddZ";
  auto const is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!std::ranges::equal(text, shape, [&](char c, char s) { return s == 'd' ? is_digit(c) : c == s; })) return false;
  auto const number = [&](std::size_t at, std::size_t size) { return std::stoi(std::string{text.substr(at, size)}); };
  int const year = number(0, 4), month = number(5, 2), day = number(8, 2);
  bool const is_leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  constexpr std::array lengths{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  int const length = lengths[static_cast<std::size_t>(month - 1)] + (month == 2 && is_leap ? 1 : 0);
  return day <= length && number(11, 2) < 24 && number(14, 2) < 60 && number(17, 2) < 60;
}

}  // namespace petstore::fuzz
