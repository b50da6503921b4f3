// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "contract/json.hpp"

#include <charconv>
#include <cstdio>

namespace contract {

class json_reader {
 public:
  explicit json_reader(std::string_view text) : text_(text) {}

  json document() {
    json value = read_value(0);
    skip_whitespace();
    if (at_ != text_.size()) fail("bytes after the value");
    return value;
  }

 private:
  static constexpr int depth_max = 64;

  [[noreturn]] void fail(const char* what) const {
    throw json_error(std::string(what) + " at byte " + std::to_string(at_) +
                     " of: " + std::string(text_.substr(0, 400)));
  }

  void skip_whitespace() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool take(char wanted) {
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  void expect(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) fail("unknown word");
    at_ += word.size();
  }

  json read_value(int depth) {
    if (depth > depth_max) fail("too deep");
    skip_whitespace();
    json value;
    switch (peek()) {
      case '{': value.value_ = read_object(depth); break;
      case '[': value.value_ = read_array(depth); break;
      case '"': value.value_ = read_string(); break;
      case 't': expect("true"), value.value_ = true; break;
      case 'f': expect("false"), value.value_ = false; break;
      case 'n': expect("null"), value.value_ = nullptr; break;
      default: value.value_ = read_number();
    }
    return value;
  }

  json::object read_object(int depth) {
    json::object members;
    ++at_;
    skip_whitespace();
    if (take('}')) return members;
    do {
      skip_whitespace();
      if (peek() != '"') fail("a member without a name");
      std::string name = read_string();
      for (const auto& member : members) {
        if (member.first == name) fail("a member given twice");
      }
      skip_whitespace();
      if (!take(':')) fail("a member without a value");
      members.emplace_back(std::move(name), read_value(depth + 1));
      skip_whitespace();
    } while (take(','));
    if (!take('}')) fail("an object that does not end");
    return members;
  }

  json::array read_array(int depth) {
    json::array elements;
    ++at_;
    skip_whitespace();
    if (take(']')) return elements;
    do {
      elements.push_back(read_value(depth + 1));
      skip_whitespace();
    } while (take(','));
    if (!take(']')) fail("an array that does not end");
    return elements;
  }

  json::number read_number() {
    const std::size_t begin = at_;
    const auto digits = [this] {
      const std::size_t first = at_;
      while (peek() >= '0' && peek() <= '9') ++at_;
      if (at_ == first) fail("a number without digits");
    };
    take('-');
    if (!take('0')) digits();
    if (take('.')) digits();
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (!take('+')) take('-');
      digits();
    }
    return {std::string(text_.substr(begin, at_ - begin))};
  }

  std::string read_string() {
    std::string out;
    ++at_;
    while (true) {
      if (at_ >= text_.size()) fail("a string that does not end");
      const auto byte = static_cast<unsigned char>(text_[at_]);
      if (byte == '"') return ++at_, out;
      if (byte < 0x20) fail("a raw control character");
      if (byte == '\\') {
        read_escape(out);
      } else if (byte < 0x80) {
        out += text_[at_++];
      } else {
        read_utf8(out);
      }
    }
  }

  void read_escape(std::string& out) {
    static constexpr std::string_view names = "\"\\/bfnrt";
    static constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    ++at_;
    if (take('u')) {
      std::uint32_t code = read_hex4();
      if (code >= 0xD800 && code < 0xDC00) {
        expect("\\u");
        const std::uint32_t low = read_hex4();
        if (low < 0xDC00 || low > 0xDFFF) fail("a lone surrogate");
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      } else if (code >= 0xDC00 && code < 0xE000) {
        fail("a lone surrogate");
      }
      append_utf8(out, code);
      return;
    }
    const std::size_t index = names.find(peek());
    if (index == std::string_view::npos || at_ >= text_.size()) fail("an unknown escape");
    out += meanings[index];
    ++at_;
  }

  std::uint32_t read_hex4() {
    std::uint32_t code = 0;
    const char* const begin = text_.data() + at_;
    if (text_.size() - at_ < 4) fail("a short escape");
    const auto [end, error] = std::from_chars(begin, begin + 4, code, 16);
    if (error != std::errc() || end != begin + 4) fail("a wrong escape");
    at_ += 4;
    return code;
  }

  static void append_utf8(std::string& out, std::uint32_t code) {
    const auto tail = [&out, code](unsigned shift) { out += static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
    if (code < 0x80) {
      out += static_cast<char>(code);
    } else if (code < 0x800) {
      out += static_cast<char>(0xC0 | (code >> 6)), tail(0);
    } else if (code < 0x10000) {
      out += static_cast<char>(0xE0 | (code >> 12)), tail(6), tail(0);
    } else {
      out += static_cast<char>(0xF0 | (code >> 18)), tail(12), tail(6), tail(0);
    }
  }

  // Decodes one sequence and encodes it again. Only the shortest form of a valid code point gives the same bytes.
  void read_utf8(std::string& out) {
    const auto lead = static_cast<unsigned char>(text_[at_]);
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC0 || lead > 0xF7 || text_.size() - at_ < length) fail("invalid UTF-8");
    std::uint32_t code = lead & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
      code = (code << 6) | (static_cast<unsigned char>(text_[at_ + i]) & 0x3FU);
    }
    std::string again;
    append_utf8(again, code);
    const bool exists = code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    if (!exists || again != text_.substr(at_, length)) fail("invalid UTF-8");
    out += again;
    at_ += length;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

namespace {

template <class T, class Variant>
const T& as(const Variant& value, const char* kind) {
  if (const T* held = std::get_if<T>(&value)) return *held;
  throw json_error(std::string("the value is not ") + kind);
}

}  // namespace

json json::parse(std::string_view text) {
  return json_reader(text).document();
}

bool json::is_null() const {
  return std::holds_alternative<std::nullptr_t>(value_);
}
bool json::boolean() const {
  return as<bool>(value_, "a boolean");
}
const std::string& json::text() const {
  return as<std::string>(value_, "a string");
}
const json::array& json::elements() const {
  return as<array>(value_, "an array");
}
const json::object& json::members() const {
  return as<object>(value_, "an object");
}

std::int64_t json::integer() const {
  const std::string& digits = as<number>(value_, "a number").digits;
  std::int64_t result = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), result);
  if (error != std::errc() || end != digits.data() + digits.size()) throw json_error("not an int64: " + digits);
  return result;
}

std::size_t json::size() const {
  if (const auto* held = std::get_if<object>(&value_)) return held->size();
  return elements().size();
}

bool json::has(std::string_view name) const {
  for (const auto& member : members()) {
    if (member.first == name) return true;
  }
  return false;
}

const json& json::operator[](std::string_view name) const {
  for (const auto& member : members()) {
    if (member.first == name) return member.second;
  }
  throw json_error("no member " + std::string(name));
}

const json& json::operator[](std::size_t index) const {
  return elements().at(index);
}

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\', out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace contract
