// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/api_key.hpp"

#include <openssl/crypto.h>
#include <openssl/rand.h>

#include <algorithm>
#include <stdexcept>

#include "petstore/enumeration.hpp"
#include "reflected_crc.hpp"

namespace petstore {
namespace {

constexpr std::size_t secret_size = 43;   // 62^43 is just above 2^256
constexpr std::size_t checksum_size = 6;  // 62^6 is above 2^32
constexpr std::size_t checked_size = api_key_prefix_size + secret_size;
static_assert(checked_size + checksum_size == api_key_size);

constexpr std::string_view base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

using crc32 = reflected_crc<0xEDB88320>;

std::array<char, checksum_size> checksum_of(std::string_view checked) noexcept {
  std::array<char, checksum_size> text;
  auto crc = crc32::of(checked);
  for (auto at = text.rbegin(); at != text.rend(); ++at) {
    *at = base62[crc % base62.size()];
    crc /= static_cast<std::uint32_t>(base62.size());
  }
  return text;
}

/// The CRC state after the prefix, which is the same for every key of an environment.
template <environment E>
constexpr std::uint32_t crc_after = crc32::update(~std::uint32_t{0}, api_key_prefix(E));

/// Whether everything after the prefix is base62. The loop does not end early, so that the compiler can check sixteen
/// characters at once.
bool has_only_digits(std::string_view key) noexcept {
  constexpr auto is_in = [](unsigned char c, char first, char last) {
    return static_cast<unsigned char>(c - first) <= last - first;
  };
  unsigned char wrong = 0;
  for (std::size_t at = api_key_prefix_size; at < api_key_size; ++at) {
    auto const c = static_cast<unsigned char>(key[at]);
    wrong |= !(is_in(c, '0', '9') | is_in(c, 'A', 'Z') | is_in(c, 'a', 'z'));
  }
  return wrong == 0;
}

/// The number in the last six characters. It may be any number below 62^6, so it is not always a CRC.
std::uint64_t claimed_crc(std::string_view key) noexcept {
  static constexpr auto value_of = [] {
    std::array<std::uint8_t, 256> table{};
    for (std::size_t value = 0; value < base62.size(); ++value)
      table[static_cast<unsigned char>(base62[value])] = static_cast<std::uint8_t>(value);
    return table;
  }();
  std::uint64_t crc = 0;
  for (char c : key.substr(checked_size)) crc = crc * base62.size() + value_of[static_cast<unsigned char>(c)];
  return crc;
}

/// Appends the bytes as one big-endian number. Each round divides it by 62; the remainders are the digits from the
/// right.
void append_base62(std::string& out, std::array<unsigned char, 32> number) {
  std::array<char, secret_size> text;
  for (auto at = text.rbegin(); at != text.rend(); ++at) {
    unsigned remainder = 0;
    for (auto& byte : number) {
      auto const dividend = remainder << 8 | byte;
      byte = static_cast<unsigned char>(dividend / base62.size());
      remainder = static_cast<unsigned>(dividend % base62.size());
    }
    *at = base62[remainder];
  }
  out.append(text.data(), text.size());
  OPENSSL_cleanse(text.data(), text.size());
}

}  // namespace

std::string_view to_string(environment e) noexcept {
  return word_of(e);
}

std::optional<environment> parse_environment(std::string_view text) noexcept {
  return parse_word<environment>(text);
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
  key.append(api_key_prefix(e));
  append_base62(key, secret);
  auto const checksum = checksum_of(key);
  key.append(checksum.data(), checksum.size());
  return key;
}

bool is_well_formed_api_key(std::string_view text, environment e) noexcept {
  if (text.size() != api_key_size || !text.starts_with(api_key_prefix(e)) || !has_only_digits(text)) return false;
  auto const after_prefix =
      e == environment::production ? crc_after<environment::production> : crc_after<environment::staging>;
  return claimed_crc(text) == ~crc32::update(after_prefix, text.substr(api_key_prefix_size, secret_size));
}

}  // namespace petstore
