// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>

#include "database.hpp"

namespace petstore::storage::lmdb {

/// Upgrades a file of an older format, step by step, in one transaction: afterwards the store is either in the newest
/// format or unchanged. Returns the resulting format.
std::uint64_t upgrade(database&);

}  // namespace petstore::storage::lmdb
