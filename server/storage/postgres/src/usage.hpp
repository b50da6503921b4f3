// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "connection_group.hpp"
#include "petstore/ports/key_usage.hpp"

/// The usage of keys, each call one statement.
namespace petstore::storage::postgres {

/// The token of the batch becomes a row of `outcomes`, as that of every write. If there is one already, the batch was
/// added before, and the statement does nothing.
asio::awaitable<result<void>> add_usage(connection_group&, ports::usage_batch);
asio::awaitable<result<std::vector<ports::usage_of_day>>> read_usage(connection_group&, std::uint64_t key,
                                                                     std::chrono::sys_days first,
                                                                     std::chrono::sys_days last);
asio::awaitable<result<std::vector<ports::last_use>>> read_last_uses(connection_group&, std::uint64_t first_key,
                                                                     std::uint64_t last_key);

}  // namespace petstore::storage::postgres
