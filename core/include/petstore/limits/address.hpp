// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <compare>
#include <cstddef>

#include "petstore/export.hpp"

namespace petstore::limits {

/// The unit that is charged without a valid key: an IPv4 address (mapped, RFC 4291, 2.5.5.2), or the /64 of an IPv6
/// address.
struct PETSTORE_EXPORT address {
  std::array<unsigned char, 16> bytes{};  ///< in network byte order

  friend auto operator<=>(address const&, address const&) = default;
};

/// The unit of a 16-byte IPv6 (or IPv4-mapped) address: the whole IPv4 address, or the /64 of any other.
constexpr address charging_unit(std::array<unsigned char, 16> raw) noexcept {
  constexpr std::array<unsigned char, 12> mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  bool is_v4 = true;
  for (std::size_t i = 0; i < mapped.size(); ++i) is_v4 = is_v4 && raw[i] == mapped[i];
  if (!is_v4)
    for (std::size_t i = 8; i < raw.size(); ++i) raw[i] = 0;
  return {raw};
}

}  // namespace petstore::limits
