// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace petstore {

/// Which of the two services a store and its keys belong to.
enum class environment : std::uint8_t { production = 1, staging = 2 };

std::string_view to_string(environment) noexcept;
std::optional<environment> parse_environment(std::string_view) noexcept;

using sha256_digest = std::array<unsigned char, 32>;

/// SHA-256 (FIPS 180-4), by the processor's instructions where it has them, else by OpenSSL. Allocates nothing. Any
/// thread.
sha256_digest sha256(std::string_view) noexcept;

/// An API key: `ps_live_` or `ps_test_`, 32 random bytes in base62 padded to 43 characters, and 6 characters of
/// base62 CRC-32 (IEEE, over everything before it): 57 characters in all. The secret itself lives only in the value
/// that `generate_api_key` returns; everything else knows its digest.
inline constexpr std::size_t api_key_size = 8 + 43 + 6;

/// Draws from OpenSSL's generator. Throws std::runtime_error when it fails.
std::string generate_api_key(environment);

/// For tests and tools: the key that these 32 bytes make.
std::string make_api_key(environment, std::array<unsigned char, 32> const& secret);

/// Whether the text is a key of this environment: prefix, alphabet, length, checksum. No look-up; no allocation.
bool is_well_formed_api_key(std::string_view, environment) noexcept;

/// Whether the text holds what a key begins with. What a client put in the wrong place is not repeated.
constexpr bool mentions_api_key(std::string_view text) noexcept {
  return text.find("ps_live_") != std::string_view::npos || text.find("ps_test_") != std::string_view::npos;
}

}  // namespace petstore
