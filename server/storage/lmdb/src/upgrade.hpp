// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>

#include "environment.hpp"

namespace petstore::storage::lmdb {

/// Rewrites a file of an older format, step by step, in one transaction: the store is afterwards either in the newest
/// format or as it was. Returns the format it is in.
std::uint64_t upgrade(environment&);

}  // namespace petstore::storage::lmdb
