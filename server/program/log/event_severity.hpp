// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string_view>

#include "petstore/server/log.hpp"

namespace petstore::program {

/// The severity of an event that a store or the source of quotas reports: error if data is lost or cannot be kept, info
/// for good news such as a recovery, and warning for everything else.
server::severity severity_of_event(std::string_view event) noexcept;

}  // namespace petstore::program
