// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <memory>

#include "petstore/quota/redis.hpp"
#include "script_runner.hpp"

namespace petstore::quota {

/// Opens the quotas over any script_runner.
std::unique_ptr<redis_quota> open_shared_quota(redis_options, std::unique_ptr<script_runner>);

}  // namespace petstore::quota
