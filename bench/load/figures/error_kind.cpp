// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "error_kind.hpp"

namespace petstore::load {
namespace {

struct description {
  std::string_view name;
  std::string_view meaning;
};

// In the order of the enumeration.
constexpr std::array<description, error_kinds> descriptions{{
    {"none", "No error."},
    {"resolve", "The target's name has no address."},
    {"refused", "Nobody listens at the address."},
    {"unreachable", "The connection could not be made."},
    {"connect-timeout", "The connection was not made in time."},
    {"tls", "The TLS handshake failed, or the certificate was not believed."},
    {"timeout", "No complete answer came in time."},
    {"closed", "The connection ended before the answer was whole."},
    {"malformed", "What came is no answer of HTTP/1.1."},
    {"too-large", "The answer is larger than this tool is willing to read."},
    {"no-descriptor", "The tool, or its machine, has no descriptor or port left."},
    {"unexpected-status", "An answer came, with a status that the operation does not expect."},
    {"missing-value", "An answer came without the value that a later step needs of it."},
    {"unsent", "The request was due and was never sent, because too many were waiting or the run ended."},
    {"unfinished", "The request was under way when the run was ended."},
}};

}  // namespace

std::string_view name_of(error_kind kind) noexcept {
  return descriptions[static_cast<std::size_t>(kind)].name;
}

std::string_view meaning_of(error_kind kind) noexcept {
  return descriptions[static_cast<std::size_t>(kind)].meaning;
}

std::optional<error_kind> error_kind_named(std::string_view name) noexcept {
  for (std::size_t i = 1; i < descriptions.size(); ++i)
    if (descriptions[i].name == name) return static_cast<error_kind>(i);
  return std::nullopt;
}

}  // namespace petstore::load
