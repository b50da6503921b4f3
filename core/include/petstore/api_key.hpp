// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <boost/describe/enum.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "petstore/export.hpp"

namespace petstore {

/// The service that a store and its keys belong to.
enum class environment : std::uint8_t { production = 1, staging = 2 };
BOOST_DESCRIBE_ENUM(environment, production, staging)

/// @{
/// Converts to `production` or `staging`, and back; nullopt for any other text.
PETSTORE_EXPORT std::string_view to_string(environment) noexcept;
PETSTORE_EXPORT std::optional<environment> parse_environment(std::string_view) noexcept;
/// @}

/// 256 bits, the first byte first.
using sha256_digest = std::array<unsigned char, 32>;

/// SHA-256 (FIPS 180-4), by OpenSSL. Allocates nothing. Any thread.
PETSTORE_EXPORT sha256_digest sha256(std::string_view) noexcept;

/// The digest as a text of 32 bytes, valid as long as the digest is.
inline std::string_view as_bytes(sha256_digest const& digest) noexcept {
  return {reinterpret_cast<char const*>(digest.data()), digest.size()};
}

/// The beginning of every API key of an environment.
constexpr std::string_view api_key_prefix(environment e) noexcept {
  return e == environment::production ? "ps_live_" : "ps_test_";
}
/// The size of both prefixes.
inline constexpr std::size_t api_key_prefix_size = api_key_prefix(environment::production).size();

/// The size of an API key: the prefix of its environment, 32 random bytes in base62 padded to 43 characters, and 6
/// characters of base62 CRC-32 (IEEE, over everything before it); 57 characters in all. Only the value that
/// `generate_api_key` returns holds the secret; everything else has its digest.
inline constexpr std::size_t api_key_size = api_key_prefix_size + 43 + 6;

/// Makes a key from OpenSSL's random generator. Throws std::runtime_error when it fails.
PETSTORE_EXPORT std::string generate_api_key(environment);

/// Makes the key of these 32 bytes, for tests and tools.
PETSTORE_EXPORT std::string make_api_key(environment, std::array<unsigned char, 32> const& secret);

/// Whether the text is a key of this environment: checks prefix, alphabet, length and checksum. No look-up; no
/// allocation.
PETSTORE_EXPORT bool is_well_formed_api_key(std::string_view, environment) noexcept;

}  // namespace petstore
