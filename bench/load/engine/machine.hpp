// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// What reports say of where and when a run took place.
#pragma once

#include <chrono>
#include <string>

namespace petstore::load {

/// Processor, cores that this process may use, kernel: "AMD EPYC 9B14, 2 cores, Linux 6.1.0".
std::string machine_text();

/// UTC, as RFC 3339 writes it, in whole seconds.
std::string utc_text(std::chrono::system_clock::time_point);

/// Lets this process open as many sockets as the machine allows it at most; how many that is.
std::size_t raise_descriptor_limit() noexcept;

}  // namespace petstore::load
