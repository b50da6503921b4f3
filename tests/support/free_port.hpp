// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>

namespace petstore::tests {

/// A port of 127.0.0.1 that nobody listens on just now. It is below those that the kernel gives to clients, so that
/// none of them takes it before a server comes, or comes back.
std::uint16_t free_port();

}  // namespace petstore::tests
