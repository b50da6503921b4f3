// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "petstore/server/counters.hpp"

namespace petstore::server::tls {

/// Returns the kind of handshake failure that an OpenSSL error code means. Any thread.
handshake_failure classify(unsigned long openssl_error) noexcept;

}  // namespace petstore::server::tls
