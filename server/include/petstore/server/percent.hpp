// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "petstore/export.hpp"

namespace petstore::server {

/// Percent-encoding (RFC 3986, 2.1). `+` is not decoded, as in the RFC: only HTML forms read it as a space, and no
/// value of this interface contains one. Any thread.

/// Whether `encoded` decodes to `plain`. False when an escape is broken. Allocates nothing.
[[nodiscard]] PETSTORE_EXPORT bool percent_equal(std::string_view encoded, std::string_view plain) noexcept;

/// Returns the decoded text: `encoded` itself if it has no escape, otherwise a view of `buffer`. nullopt: a broken
/// escape, or the text is longer than the buffer.
[[nodiscard]] PETSTORE_EXPORT std::optional<std::string_view> percent_decode(std::string_view encoded,
                                                                             std::span<char> buffer) noexcept;

/// Returns a path with decoded segments: `encoded` itself if it has no escape, otherwise a view of `buffer`. An escaped
/// `/` becomes a NUL, since it does not separate segments, and a broken escape stays unchanged: no existing path
/// contains either. nullopt: the text is longer than the buffer.
[[nodiscard]] PETSTORE_EXPORT std::optional<std::string_view> decode_segments(std::string_view encoded,
                                                                              std::span<char> buffer) noexcept;

}  // namespace petstore::server
