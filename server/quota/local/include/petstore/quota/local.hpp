// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <unordered_map>

#include "petstore/export.hpp"
#include "petstore/quota/local_quota.hpp"

namespace petstore::quota {

/// Opens or creates the directory, which belongs to one source at a time, reads its records and starts the thread.
/// Blocks meanwhile. Throws std::invalid_argument for options outside their ranges, before it touches the directory,
/// and std::runtime_error with a sentence that names the directory and the cause: it is in use, not empty, or cannot be
/// read or written. Without a directory there is nothing to open. It belongs to the component `lmdb`.
[[nodiscard]] PETSTORE_EXPORT std::unique_ptr<local_quota> open_local_quota(local_options);

/// Reads the stored quotas of each identity that has used something, from a directory that is not open, for example a
/// copy of a server's. Damaged records are left out. Throws like `open_local_quota`.
[[nodiscard]] PETSTORE_EXPORT std::unordered_map<std::uint64_t, kept_quota> read_kept_quotas(
    std::filesystem::path const& directory);

}  // namespace petstore::quota
