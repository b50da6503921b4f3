// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "logging/redact.hpp"

#include <algorithm>
#include <cstddef>

namespace petstore::program {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

struct decoded {
  char character = 0;
  std::size_t length = 0;  ///< of the text it was written with
};

/// The character at a place of the text, which may be written as %70.
decoded decode_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {};
  if (text[at] == '%' && at + 2 < text.size()) {
    int const high = hex_digit(text[at + 1]);
    int const low = hex_digit(text[at + 2]);
    if (high >= 0 && low >= 0) return {static_cast<char>(high * 16 + low), 3};
  }
  return {text[at], 1};
}

/// The length of `expected` where it stands at `at`, percent-encoded or not; 0 when it does not.
std::size_t match_at(std::string_view text, std::size_t at, std::string_view expected) {
  std::size_t const begin = at;
  for (char const c : expected) {
    auto const d = decode_at(text, at);
    if (d.length == 0 || d.character != c) return 0;
    at += d.length;
  }
  return at - begin;
}

bool is_base62(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Everything behind a prefix that could belong to a key, however long: a mistyped key is a secret too.
std::size_t secret_length(std::string_view text, std::size_t at) {
  std::size_t const begin = at;
  for (auto d = decode_at(text, at); d.length != 0 && is_base62(d.character); d = decode_at(text, at)) at += d.length;
  return at - begin;
}

/// Blots out what follows `name=` up to the next parameter.
void blot_parameter(std::string& text, std::string_view name) {
  for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + name.size())) {
    auto const begin = at + name.size();
    auto const end = std::min(text.find_first_of("& ", begin), text.size());
    text.replace(begin, end - begin, "***");
  }
}

}  // namespace

void append_without_keys(std::string& out, std::string_view text) {
  std::size_t copied = 0;
  for (auto at = text.find_first_of("p%"); at != std::string_view::npos; at = text.find_first_of("p%", at)) {
    std::string_view found;
    std::size_t length = 0;
    for (std::string_view const prefix : {"ps_live_", "ps_test_"}) {
      if (length == 0) length = match_at(text, at, found = prefix);
    }
    if (length == 0) {
      ++at;
      continue;
    }
    out.append(text.substr(copied, at - copied)).append(found).append("***");
    at += length;
    at += secret_length(text, at);
    copied = at;
  }
  out.append(text.substr(copied));
}

std::string redact_secrets(std::string_view text) {
  std::string out;
  append_without_keys(out, text);
  // From the first colon behind `://` to the last @: a password may contain any of the characters that end it properly.
  auto const scheme = out.find("://");
  auto const at = out.rfind('@');
  if (scheme != std::string::npos && at != std::string::npos) {
    auto const colon = out.find(':', scheme + 3);
    if (colon < at) out.replace(colon + 1, at - colon - 1, "***");
  }
  blot_parameter(out, "password=");
  return out;
}

}  // namespace petstore::program
