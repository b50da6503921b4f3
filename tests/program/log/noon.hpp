// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>

#include "log/json_line.hpp"

namespace petstore::program {

inline log_time const noon =
    std::chrono::sys_days(std::chrono::year{2026} / 6 / 1) + std::chrono::hours{12} + std::chrono::milliseconds{7};

}  // namespace petstore::program
