// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string_view>

#include "petstore/export.hpp"

namespace petstore {

/// CRC-32C (Castagnoli, as iSCSI and ext4 use it) of the bytes: of entity tags, cursors and stored records. Uses the
/// processor's instruction where there is one. Any thread; never fails.
PETSTORE_EXPORT std::uint32_t crc32c(std::string_view data) noexcept;

/// The same by tables, whatever the processor: what `crc32c` is tested against, and falls back to.
PETSTORE_EXPORT std::uint32_t crc32c_by_table(std::string_view data) noexcept;

}  // namespace petstore
