// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/redact.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "petstore/key_trace.hpp"
#include "petstore/server/percent.hpp"

namespace petstore::program {
namespace {

constexpr std::string_view characters_of_names = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_%";
constexpr std::size_t name_bytes_max = 64;

/// Whether a parameter of that name is a password. libpq decodes names, too. A name that cannot be decoded may be one.
bool is_password(std::string_view name) {
  std::array<char, name_bytes_max> buffer{};
  auto const plain = server::percent_decode(name, buffer);
  return !plain || plain->ends_with("password");
}

/// Redacts the passwords among the parameters. `ends` are the characters that end a parameter.
void redact_parameters(std::string& text, std::string_view ends) {
  for (auto equals = text.find('='); equals != std::string::npos; equals = text.find('=', equals + 1)) {
    auto const before = std::string_view{text}.substr(0, equals);
    if (!is_password(before.substr(before.find_last_not_of(characters_of_names) + 1))) continue;
    auto const end = std::min(text.find_first_of(ends, equals), text.size());
    text.replace(equals + 1, end - equals - 1, "***");
  }
}

/// Redacts what is between the first and the last line of a private key.
void redact_private_keys(std::string& text) {
  constexpr std::string_view label = "PRIVATE KEY-----";
  for (auto at = text.find(label); at != std::string::npos;) {
    auto const begin = at + label.size();
    auto const end = std::min(text.find("-----END", begin), text.size());
    text.replace(begin, end - begin, "***");
    auto const closing = text.find(label, begin);
    at = closing == std::string::npos ? closing : text.find(label, closing + label.size());
  }
}

/// Redacts what is between the first colon and the last @ of an address. The address is the whole text, or is quoted in
/// it. It may be malformed: a password may contain a character that would end it, and the slashes of the scheme may be
/// missing.
void redact_password(std::string& text) {
  auto const at = text.rfind('@');
  if (at == std::string::npos) return;
  auto const quote = text.find('`');
  auto colon = text.find(':', quote < at ? quote : 0);
  if (text.compare(colon == std::string::npos ? text.size() : colon, 3, "://") == 0) colon = text.find(':', colon + 1);
  if (colon < at) text.replace(colon + 1, at - colon - 1, "***");
}

/// The parameters come first, because the last @ may be in one of them.
std::string redact(std::string_view text, std::string_view ends_of_parameters) {
  std::string out;
  append_without_keys(out, text);
  redact_parameters(out, ends_of_parameters);
  redact_password(out);
  redact_private_keys(out);
  return out;
}

}  // namespace

std::string redact_secrets(std::string_view text) {
  return redact(text, "& ");
}

std::string redact_address(std::string_view text) {
  return redact(text, "&");
}

std::string without_query(std::string_view url) {
  auto const mark = url.find('?');
  return mark == url.npos ? std::string{url} : std::string{url.substr(0, mark + 1)}.append("***");
}

}  // namespace petstore::program
