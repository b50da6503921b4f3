// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "petstore/limits/plan.hpp"

namespace petstore::quota {

inline constexpr limits::plan free_plan{limits::per_minute(60), limits::per_day(1'000)};

}  // namespace petstore::quota
