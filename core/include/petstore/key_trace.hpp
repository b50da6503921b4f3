// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "petstore/export.hpp"

/// API keys in texts where none belongs: a path, a request id, an argument. What a client or an operator put in the
/// wrong place is not repeated, neither to logs nor to anybody else. Pure; any thread.
namespace petstore {

/// Where a text holds a key or a large piece of one, percent-encoded or not:
/// - `ps_live_` or `ps_test_` and every letter and digit behind it, since a mistyped key is nearly one;
/// - letters and digits alone that are too many and too mixed for the usual identifiers (see key_trace.cpp).
struct PETSTORE_EXPORT key_trace {
  std::size_t begin = 0;    ///< of its first character
  std::size_t end = 0;      ///< behind its last one
  std::string_view prefix;  ///< decoded; empty in the second case
};

/// The first one that begins at `from` or behind it.
PETSTORE_EXPORT std::optional<key_trace> find_key_trace(std::string_view text, std::size_t from = 0) noexcept;
/// Whether there is one at all.

inline bool mentions_api_key(std::string_view text) noexcept {
  return find_key_trace(text).has_value();
}

/// Below this size a text without a prefix holds no trace, so that one who writes many need not look.
inline constexpr std::size_t key_trace_digits_min = 28;

/// Appends the text with every trace cut down to its prefix: `/v1/pets/ps_live_***`.
PETSTORE_EXPORT void append_without_keys(std::string& out, std::string_view text);

}  // namespace petstore
