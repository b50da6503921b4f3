// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>

#include "log/json_line.hpp"
#include "petstore/server/access_log.hpp"
#include "petstore/server/log.hpp"

namespace petstore::program {

/// Appends {"time":…,"level":"warning","event":"slow_request","request_id":…,"trace_id":…,"parent_id":…,"key":…,
/// "operation":…,"status":…,"duration_us":…,"read_us":…,"quota_us":…,"store_us":…,"write_us":…} without the line end.
/// The last four say where the duration went. Pure; any thread.
///
/// `read_us` is the time until the request was complete, `quota_us` the wait for the quotas (only shared quotas make a
/// request wait), `store_us` the operation, which is almost only the store's time, `write_us` the time until the kernel
/// had the answer.
void append_slow_line(std::string& out, log_time, server::access_record const&);

}  // namespace petstore::program
