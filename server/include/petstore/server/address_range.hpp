// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "petstore/export.hpp"

namespace petstore::server {

/// An IPv6 address in network byte order. An IPv4 address is mapped into IPv6 (RFC 4291, section 2.5.5.2).
using raw_address = std::array<unsigned char, 16>;

/// A range of addresses, such as 10.0.0.0/8 or 2001:db8::/32.
struct PETSTORE_EXPORT address_range {
  raw_address first{};         ///< the lowest one
  unsigned prefix_bits = 128;  ///< of the 16 bytes; an IPv4 /8 is 104

  /// Parses an address or a range in CIDR notation; returns nullopt for anything else. The bits behind the prefix are
  /// ignored.
  static std::optional<address_range> parse(std::string_view);
  /// Whether the address is in the range.
  [[nodiscard]] bool contains(raw_address const&) const noexcept;
};

/// `192.0.2.1` or `2001:db8::1`.
[[nodiscard]] PETSTORE_EXPORT std::string address_text(raw_address const&);

}  // namespace petstore::server
