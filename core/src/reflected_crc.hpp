// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace petstore {

/// A reflected 32-bit CRC with an initial value and a final XOR of all ones. It uses tables and takes eight bytes in a
/// step ("slicing by 8"). `Polynomial` is reflected: 0xEDB88320 is CRC-32 (IEEE), 0x82F63B78 is CRC-32C (Castagnoli).
template <std::uint32_t Polynomial>
class reflected_crc {
 public:
  static constexpr std::uint32_t of(std::string_view data) noexcept { return ~update(~std::uint32_t{0}, data); }

  /// Without the initial value and the final XOR, so that a CRC can be continued.
  static constexpr std::uint32_t update(std::uint32_t crc, std::string_view data) noexcept {
    for (; data.size() >= 8; data.remove_prefix(8)) {
      std::uint32_t const low = crc ^ word(data.substr(0, 4));
      std::uint32_t const high = word(data.substr(4, 4));
      crc = tables[7][low & 0xFF] ^ tables[6][low >> 8 & 0xFF] ^ tables[5][low >> 16 & 0xFF] ^ tables[4][low >> 24] ^
            tables[3][high & 0xFF] ^ tables[2][high >> 8 & 0xFF] ^ tables[1][high >> 16 & 0xFF] ^ tables[0][high >> 24];
    }
    for (char c : data) crc = crc >> 8 ^ tables[0][(crc ^ static_cast<unsigned char>(c)) & 0xFF];
    return crc;
  }

 private:
  /// Little-endian on any machine; compilers make one load of it.
  static constexpr std::uint32_t word(std::string_view four) noexcept {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- != 0;) value = value << 8 | static_cast<unsigned char>(four[i]);
    return value;
  }

  /// tables[0] advances by one byte; tables[k] by that byte and k zero bytes.
  static constexpr auto tables = [] {
    std::array<std::array<std::uint32_t, 256>, 8> all{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      std::uint32_t crc = byte;
      for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? Polynomial : 0);
      all[0][byte] = crc;
    }
    for (std::size_t k = 1; k < all.size(); ++k)
      for (std::size_t byte = 0; byte < 256; ++byte) {
        auto const before = all[k - 1][byte];
        all[k][byte] = before >> 8 ^ all[0][before & 0xFF];
      }
    return all;
  }();
};

}  // namespace petstore
