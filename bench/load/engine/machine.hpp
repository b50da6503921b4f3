// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The machine and the time of a run, for reports.
#pragma once

#include <chrono>
#include <string>

namespace petstore::load {

/// The processor, the cores that this process may use, and the kernel: "AMD EPYC 9B14, 2 cores, Linux 6.1.0".
std::string machine_text();

/// The time in UTC, in the format of RFC 3339 with whole seconds.
std::string utc_text(std::chrono::system_clock::time_point);

/// Raises this process's limit of open descriptors to the highest allowed value; returns that value.
std::size_t raise_descriptor_limit() noexcept;

}  // namespace petstore::load
