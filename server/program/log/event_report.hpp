// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <functional>
#include <string_view>

#include "petstore/server/log.hpp"

namespace petstore::program {

/// Logs an event that is about no request: a server::log_function without the request.
using event_report = std::function<void(server::severity, std::string_view event, std::string_view detail)>;

}  // namespace petstore::program
