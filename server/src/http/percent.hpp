// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace petstore::server {

/// Percent-encoding (RFC 3986, 2.1). `+` stands for itself, as the RFC has it: only HTML forms read it as a space, and
/// no value of this interface contains one. Any thread.

/// Whether `encoded` decodes to `plain`. False when an escape is broken. Allocates nothing.
bool percent_equal(std::string_view encoded, std::string_view plain) noexcept;

/// The decoded text: `encoded` itself when it has no escape, else in `buffer`. nullopt: a broken escape, or the text is
/// longer than the buffer.
std::optional<std::string_view> percent_decode(std::string_view encoded, std::span<char> buffer) noexcept;

/// A path whose segments are decoded: `encoded` itself when it has no escape, else in `buffer`. An escaped `/` becomes
/// a NUL, as it separates no segments, and a broken escape stays as it is: neither is part of any path that exists.
/// nullopt: the text is longer than the buffer.
std::optional<std::string_view> decode_segments(std::string_view encoded, std::span<char> buffer) noexcept;

}  // namespace petstore::server
