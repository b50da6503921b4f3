// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "petstore/export.hpp"

namespace petstore::server {

/// A range of addresses, such as 10.0.0.0/8 or 2001:db8::/32. IPv4 addresses are stored mapped (RFC 4291, 2.5.5.2).
struct PETSTORE_EXPORT address_range {
  std::array<unsigned char, 16> first{};  ///< in network byte order
  unsigned prefix_bits = 128;             ///< of the 16 bytes; an IPv4 /8 is 104

  /// Parses an address or a range in CIDR notation; returns nullopt for anything else. The bits behind the prefix are
  /// ignored.
  static std::optional<address_range> parse(std::string_view);
  /// Whether the address is in the range. IPv4 addresses are given mapped, too.
  [[nodiscard]] bool contains(std::array<unsigned char, 16> const&) const noexcept;
};

/// `192.0.2.1`, of an address that is given mapped, or `2001:db8::1`.
[[nodiscard]] PETSTORE_EXPORT std::string address_text(std::array<unsigned char, 16> const&);

}  // namespace petstore::server
