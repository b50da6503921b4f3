// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "petstore/server/quota_watch.hpp"

/// The messages that a webhook gets. Pure functions; any thread.
namespace petstore::program {

/// The body: one JSON object.
std::string body_of(server::quota_threshold const&);

/// The value of `Petstore-Signature`: `t=UNIX,v1=HEX`, where HEX is the HMAC-SHA-256 of `UNIX.body`.
std::string signature_of(std::string_view secret, std::chrono::sys_seconds at, std::string_view body);

}  // namespace petstore::program
