// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "logging/redact.hpp"

#include <algorithm>

#include "petstore/key_trace.hpp"

namespace petstore::program {
namespace {

/// Blots out what follows `name=` up to the next parameter.
void blot_parameter(std::string& text, std::string_view name) {
  for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + name.size())) {
    auto const begin = at + name.size();
    auto const end = std::min(text.find_first_of("& ", begin), text.size());
    text.replace(begin, end - begin, "***");
  }
}

/// Blots out what stands between the first and the last line of a private key.
void blot_private_keys(std::string& text) {
  constexpr std::string_view label = "PRIVATE KEY-----";
  for (auto at = text.find(label); at != std::string::npos;) {
    auto const begin = at + label.size();
    auto const end = std::min(text.find("-----END", begin), text.size());
    text.replace(begin, end - begin, "***");
    auto const closing = text.find(label, begin);
    at = closing == std::string::npos ? closing : text.find(label, closing + label.size());
  }
}

}  // namespace

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
  blot_private_keys(out);
  return out;
}

}  // namespace petstore::program
