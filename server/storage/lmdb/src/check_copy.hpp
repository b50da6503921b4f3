// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "petstore/storage/lmdb_maintenance.hpp"

namespace petstore::storage::lmdb {

/// Checks a copy of a store that nothing else uses, and leaves no files behind in its directory. Throws
/// maintenance_error with the first fault.
check_summary check_copy(std::filesystem::path const& directory);

}  // namespace petstore::storage::lmdb
