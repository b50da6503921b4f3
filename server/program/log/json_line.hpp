// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "petstore/json_object.hpp"
#include "petstore/server/log.hpp"

/// Lines of the log as JSON objects, without the line's end. Pure; any thread.
namespace petstore::program {

using log_time = std::chrono::sys_time<std::chrono::milliseconds>;

/// Begins the line {"time":…,"level":…,"event":…,"detail":…,"request_id":…,"trace_id":…,"parent_id":…. From detail on,
/// it has only the members that are not empty. The caller may add more members, and closes the object.
json_object begin_log_line(std::string& out, log_time, server::severity, std::string_view event,
                           std::string_view detail, server::log_origin const&);

/// Appends any bytes as a JSON string. API keys are redacted, and bytes that are not UTF-8 become U+FFFD.
void append_json_text(std::string& out, std::string_view);

}  // namespace petstore::program
