// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <functional>

#include "petstore/limits/instant.hpp"

namespace petstore::server {

/// Returns the current time on both clocks. Called from every thread that serves, several times for each request.
using clock_function = std::function<limits::instant()>;

}  // namespace petstore::server
