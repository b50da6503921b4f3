// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "petstore/export.hpp"

namespace petstore {

/// Which list a cursor belongs to.
enum class list_kind : std::uint8_t { pets = 1, categories = 2, orders = 3 };

/// Where a walk through a list stands: after which id, in which list, under which filters. Opaque to clients:
/// base64url (RFC 4648, 5, no padding) of a version byte, the list, its filters, the id and a CRC-32C of all that. Not
/// secret; the checksum only catches damage. Depends on nothing of the process, so it is valid on every node and after
/// a restart.
struct PETSTORE_EXPORT cursor {
  list_kind list = list_kind::pets;    ///< whose ids they are
  std::optional<std::uint8_t> status;  ///< the status filter's number
  std::optional<std::int64_t> parent;  ///< the categoryId or petId filter
  std::int64_t after = 0;              ///< the id of the last entry of the page before

  friend bool operator==(cursor const&, cursor const&) = default;
};

/// @{
/// The text that a client is given.
PETSTORE_EXPORT std::string to_string(cursor const&);
PETSTORE_EXPORT void append(std::string& out, cursor const&);
/// @}
/// nullopt: not made by this service.
PETSTORE_EXPORT std::optional<cursor> parse_cursor(std::string_view) noexcept;

}  // namespace petstore
