// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string_view>

#include "petstore/server/log.hpp"

namespace petstore::program {

/// How much what a store or the quotas report matters to whoever runs the server: an error while something is not
/// kept, information when it is again, and a warning for everything else.
server::severity severity_of_event(std::string_view event) noexcept;

}  // namespace petstore::program
