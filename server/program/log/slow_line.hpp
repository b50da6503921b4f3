// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>

#include "log/json_line.hpp"
#include "petstore/server/access_log.hpp"
#include "petstore/server/log.hpp"

namespace petstore::program {

/// {"time":…,"level":"warning","event":"slow_request","request_id":…,"trace_id":…,"parent_id":…,"key":…,"operation":…,
/// "status":…,"duration_us":…,"read_us":…,"quota_us":…,"store_us":…,"write_us":…} without the line's end: the last four
/// are where the time of the one before them went. Pure; any thread.
///
/// `read_us` until the request was whole, `quota_us` for the quotas (which only shared ones make wait), `store_us` for
/// the operation, which is the store's but for some microseconds, `write_us` until the kernel had the answer.
void append_slow_line(std::string& out, log_time, server::access_record const&);

}  // namespace petstore::program
