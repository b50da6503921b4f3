// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "petstore/ports/key_usage.hpp"
#include "readers.hpp"
#include "write_transaction.hpp"

/// The usage of keys. Its tables are ordered by day, so that a minute's counts are on neighbouring pages, and old days
/// are the first entries.
namespace petstore::storage::lmdb {

result<void> add_usage(write_transaction&, ports::usage_batch const&);
std::vector<ports::usage_of_day> read_usage(reader const&, std::uint64_t key, std::chrono::sys_days first,
                                            std::chrono::sys_days last);
std::vector<ports::last_use> read_last_uses(reader&, std::uint64_t first_key, std::uint64_t last_key);

}  // namespace petstore::storage::lmdb
