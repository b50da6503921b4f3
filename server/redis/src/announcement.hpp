// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <string_view>

#include "petstore/redis/address.hpp"

namespace petstore::redis {

/// The master that a sentinel's message of +switch-master announces, when it is about this name: `name host port host
/// port`, the old one first.
std::optional<node> read_announcement(std::string_view message, std::string_view master_name);

}  // namespace petstore::redis
