// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>

#include "petstore/server/request.hpp"
#include "petstore/server/response.hpp"

namespace petstore::server {

enum class severity : std::uint8_t { debug, info, warning, error };

/// Where the library reports what operators should know. Called from any thread; must not throw. `event` is a short
/// static name (`store_failed`), `detail` a sentence, `request_id` empty when no request is concerned.
using log_function =
    std::function<void(severity, std::string_view event, std::string_view detail, std::string_view request_id)>;

/// One answered request. Views are valid during the call.
struct access_record {
  server::request const& request;  ///< may be partial: see http_handler::refuse
  server::response const& response;
  /// From the first byte of the head to the last byte handed to the kernel; of an answer that waits to be sent together
  /// with the next one's, to when it was ready.
  std::chrono::nanoseconds duration;
  std::uint64_t bytes_sent;  ///< head and body
};

/// Called from the thread of the connection after each answer; must not throw.
using access_log_function = std::function<void(access_record const&)>;

}  // namespace petstore::server
