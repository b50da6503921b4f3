// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "slot.hpp"

#include <array>

namespace petstore::redis {
namespace {

constexpr std::uint16_t polynomial = 0x1021;

constexpr std::array<std::uint16_t, 256> table = [] {
  std::array<std::uint16_t, 256> made{};
  for (unsigned byte = 0; byte < made.size(); ++byte) {
    unsigned crc = byte << 8;
    for (int bit = 0; bit < 8; ++bit) crc = (crc << 1) ^ ((crc & 0x8000) != 0 ? polynomial : 0u);
    made[byte] = static_cast<std::uint16_t>(crc);
  }
  return made;
}();

constexpr std::string_view hashed_part(std::string_view key) noexcept {
  auto const open = key.find('{');
  if (open == std::string_view::npos) return key;
  auto const close = key.find('}', open + 1);
  if (close == std::string_view::npos || close == open + 1) return key;
  return key.substr(open + 1, close - open - 1);
}

}  // namespace

std::uint16_t slot_of(std::string_view key) noexcept {
  unsigned crc = 0;
  for (char const c : hashed_part(key)) {
    crc = ((crc << 8) & 0xFFFF) ^ table[(crc >> 8) ^ static_cast<unsigned char>(c)];
  }
  return static_cast<std::uint16_t>(crc % slot_count);
}

}  // namespace petstore::redis
