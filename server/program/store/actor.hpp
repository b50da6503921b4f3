// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>

namespace petstore::program {

/// The operating system user who runs this process, for the audit log: a name, or `uid 1000` without one.
std::string operating_system_user();

}  // namespace petstore::program
