// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <string_view>

#include "petstore/redis/address.hpp"

namespace petstore::redis {

/// Reads the new master from a sentinel's +switch-master message, `name old-host old-port new-host new-port`. Returns
/// nullopt if the message is about another master name.
std::optional<node> read_announcement(std::string_view message, std::string_view master_name);

}  // namespace petstore::redis
