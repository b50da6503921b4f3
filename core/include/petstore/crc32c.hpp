// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string_view>

#include "petstore/export.hpp"

namespace petstore {

/// The CRC-32C of the bytes (Castagnoli, as in iSCSI and ext4), for entity tags, cursors and stored records. Uses the
/// processor's instruction if there is one. Any thread; never fails.
PETSTORE_EXPORT std::uint32_t crc32c(std::string_view data) noexcept;

/// The same with tables, on any processor: `crc32c` is tested against it, and falls back to it.
PETSTORE_EXPORT std::uint32_t crc32c_by_table(std::string_view data) noexcept;

}  // namespace petstore
