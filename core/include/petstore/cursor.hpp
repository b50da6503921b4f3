// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "petstore/export.hpp"
#include "petstore/list_query.hpp"

namespace petstore {

/// A position in a list: the list, its filters, and the id before the position. Opaque to clients: base64url (RFC 4648,
/// 5, no padding) of a version byte, the list, its filters, the id and a CRC-32C of all that. It is not secret; the
/// checksum only detects damage. It does not depend on the process, so it is valid on every node and after a restart.
struct PETSTORE_EXPORT cursor {
  record_kind kind = record_kind::pet;  ///< of the records in the list
  filter_values filters = {};           ///< the filters of the list
  std::int64_t after = 0;               ///< the id of the last entry of the previous page

  friend bool operator==(cursor const&, cursor const&) = default;
};

/// @{
/// The text for clients.
PETSTORE_EXPORT std::string to_string(cursor const&);
PETSTORE_EXPORT void append(std::string& out, cursor const&);
/// @}
/// nullopt: this service has not made the text.
PETSTORE_EXPORT std::optional<cursor> parse_cursor(std::string_view) noexcept;

}  // namespace petstore
