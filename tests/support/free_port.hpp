// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>

namespace petstore::tests {

/// A port of 127.0.0.1 on which no server listens now. It is below the ports that the kernel gives to clients, and no
/// other call returns it until this process ends, whichever process makes it: a server can come back to its port.
std::uint16_t free_port();

}  // namespace petstore::tests
