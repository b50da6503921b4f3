// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "config/redact.hpp"

#include <algorithm>

#include "petstore/key_trace.hpp"

namespace petstore::program {
namespace {

/// Redacts what follows `name=` up to the next parameter.
void redact_parameter(std::string& text, std::string_view name) {
  for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + name.size())) {
    auto const begin = at + name.size();
    auto const end = std::min(text.find_first_of("& ", begin), text.size());
    text.replace(begin, end - begin, "***");
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

}  // namespace

std::string redact_secrets(std::string_view text) {
  std::string out;
  append_without_keys(out, text);
  redact_password(out);
  redact_parameter(out, "password=");
  redact_private_keys(out);
  return out;
}

std::string without_query(std::string_view url) {
  auto const mark = url.find('?');
  return mark == url.npos ? std::string{url} : std::string{url.substr(0, mark + 1)}.append("***");
}

}  // namespace petstore::program
