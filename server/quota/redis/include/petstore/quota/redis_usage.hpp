// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "petstore/export.hpp"
#include "petstore/limits/account.hpp"

namespace petstore::quota {

/// An identity, and the number of the latest time an operator made its quotas whole.
struct PETSTORE_EXPORT shared_identity {
  std::uint64_t number = 0;  ///< of its first key
  std::uint64_t resets = 0;  ///< as in `quota_source::account_of`
};

/// What has been used of shared quotas.
struct shared_usage {
  /// One account for each identity that Redis knows: the open periods of its windows are current, its other members are
  /// those of a new account.
  std::unordered_map<std::uint64_t, limits::saved_account> accounts;
  /// Identities whose value is of another program, or of a newer version of this one.
  std::vector<std::uint64_t> unreadable;
};

/// Reads for a report what has been used of the shared quotas of these identities. While nodes of version 1 run beside
/// others, or have run on this day, what they took is included. Nodes hold tokens in advance, which count as used. So
/// this function recalls them first and reads 100 ms later; tokens that a node has not returned by then count as used.
/// If the Redis user may not publish on the channel of recalls, all held tokens count as used.
///
/// `address` and `environment` are those of redis_options. `patience` limits the wait for the connection, and for each
/// answer. Blocks. Throws std::runtime_error with a sentence if the text is not an address or Redis does not answer.
PETSTORE_EXPORT shared_usage read_shared_quotas(std::string const& address, std::string_view environment,
                                                std::span<shared_identity const> identities,
                                                std::chrono::milliseconds patience);

}  // namespace petstore::quota
