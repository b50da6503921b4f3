// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/api_key.hpp"

#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <algorithm>
#include <stdexcept>

#include "reflected_crc.hpp"

namespace petstore {
namespace {

constexpr std::size_t prefix_size = 8;
constexpr std::size_t secret_size = 43;   // 62^43 is just above 2^256
constexpr std::size_t checksum_size = 6;  // 62^6 is above 2^32
constexpr std::size_t checked_size = prefix_size + secret_size;
static_assert(checked_size + checksum_size == api_key_size);

constexpr std::string_view digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

constexpr auto is_digit = [] {
  std::array<bool, 256> table{};
  for (char c : digits) table[static_cast<unsigned char>(c)] = true;
  return table;
}();

constexpr std::string_view prefix_of(environment e) noexcept {
  return e == environment::production ? "ps_live_" : "ps_test_";
}

std::array<char, checksum_size> checksum_of(std::string_view checked) noexcept {
  std::array<char, checksum_size> text;
  auto crc = reflected_crc<0xEDB88320>::of(checked);
  for (auto at = text.rbegin(); at != text.rend(); ++at) {
    *at = digits[crc % digits.size()];
    crc /= static_cast<std::uint32_t>(digits.size());
  }
  return text;
}

/// The bytes as one big-endian number: each round divides it by 62, and the remainder is the next digit from the right.
void append_base62(std::string& out, std::array<unsigned char, 32> number) {
  std::array<char, secret_size> text;
  for (auto at = text.rbegin(); at != text.rend(); ++at) {
    unsigned remainder = 0;
    for (auto& byte : number) {
      auto const dividend = remainder << 8 | byte;
      byte = static_cast<unsigned char>(dividend / digits.size());
      remainder = static_cast<unsigned>(dividend % digits.size());
    }
    *at = digits[remainder];
  }
  out.append(text.data(), text.size());
  OPENSSL_cleanse(text.data(), text.size());
}

}  // namespace

std::string_view to_string(environment e) noexcept {
  return e == environment::production ? "production" : "staging";
}

std::optional<environment> parse_environment(std::string_view text) noexcept {
  for (auto e : {environment::production, environment::staging})
    if (text == to_string(e)) return e;
  return std::nullopt;
}

std::string generate_api_key(environment e) {
  std::array<unsigned char, 32> secret;
  if (RAND_priv_bytes(secret.data(), static_cast<int>(secret.size())) != 1) {
    throw std::runtime_error("OpenSSL has no random bytes to give");
  }
  auto key = make_api_key(e, secret);
  OPENSSL_cleanse(secret.data(), secret.size());
  return key;
}

std::string make_api_key(environment e, std::array<unsigned char, 32> const& secret) {
  std::string key;
  key.reserve(api_key_size);
  key.append(prefix_of(e));
  append_base62(key, secret);
  auto const checksum = checksum_of(key);
  key.append(checksum.data(), checksum.size());
  return key;
}

bool is_well_formed_api_key(std::string_view text, environment e) noexcept {
  if (text.size() != api_key_size || !text.starts_with(prefix_of(e))) return false;
  auto const secret = text.substr(prefix_size, secret_size);
  if (!std::ranges::all_of(secret, [](char c) { return is_digit[static_cast<unsigned char>(c)]; })) return false;
  return std::ranges::equal(text.substr(checked_size), checksum_of(text.substr(0, checked_size)));
}

}  // namespace petstore
