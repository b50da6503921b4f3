// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "petstore/export.hpp"

/// Finds API keys in texts where they do not belong: a path, a request id, an argument. If a client or an operator put
/// a key in the wrong place, it must not be repeated to logs or to other people. Pure; any thread.
namespace petstore {

/// The position of a key or of a large part of one, percent-encoded or not:
/// - `ps_live_` or `ps_test_` and every letter and digit after it, since a mistyped key is nearly a key;
/// - letters and digits without a prefix that are too many and too mixed for the usual identifiers (see key_trace.cpp).
struct PETSTORE_EXPORT key_trace {
  std::size_t begin = 0;    ///< of its first character
  std::size_t end = 0;      ///< after its last character
  std::string_view prefix;  ///< decoded; empty in the second case
};

/// Returns the first trace that begins at or after `from`.
PETSTORE_EXPORT std::optional<key_trace> find_key_trace(std::string_view text, std::size_t from = 0) noexcept;
/// Whether the text has a trace.
inline bool mentions_api_key(std::string_view text) noexcept {
  return find_key_trace(text).has_value();
}

/// A text below this size without a prefix has no trace, so a caller that writes many texts need not search them.
inline constexpr std::size_t key_trace_digits_min = 28;

/// Appends the text with every trace shortened to its prefix: `/v1/pets/ps_live_***`.
PETSTORE_EXPORT void append_without_keys(std::string& out, std::string_view text);

}  // namespace petstore
