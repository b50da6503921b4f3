// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "petstore/export.hpp"
#include "petstore/limits/account.hpp"

namespace petstore::quota {

/// Reads what was used of the shared quotas of these identities, for a report: of each that Redis knows, its open
/// minute and its day as they are now; the other members are as they are in a new account. Nodes hold tokens in
/// advance, which count as used. So this recalls them first and reads 100 ms later; tokens that a node has not returned
/// by then count as used. Redis must let the user publish on the channel of recalls, otherwise all held tokens count.
///
/// `address` and `environment` are those of redis_options; `patience` is for connecting, and then for each answer.
/// Blocks. Throws std::runtime_error with a sentence when the address is not one or Redis does not answer.
PETSTORE_EXPORT std::unordered_map<std::uint64_t, limits::saved_account> read_shared_quotas(
    std::string const& address, std::string_view environment, std::span<std::uint64_t const> identities,
    std::chrono::milliseconds patience);

}  // namespace petstore::quota
