// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "petstore/export.hpp"
#include "petstore/server/request.hpp"
#include "petstore/server/response.hpp"

namespace petstore::server {

/// One answered request. Views are valid during the call.
struct PETSTORE_EXPORT access_record {
  server::request const& request;    ///< may be partial: see http_handler::refuse
  server::response const& response;  ///< with `notes`; its body may already be released
  /// From the first byte of the head to the last byte handed to the kernel. An answer may wait to be sent together with
  /// the next one; its duration then ends when it is ready.
  std::chrono::nanoseconds duration;
  /// The size of head and body. An answer that waits to be sent together with the next one counts as sent, even if the
  /// connection breaks before.
  std::uint64_t bytes_sent;
  /// The part of the duration until the request was complete. `response.notes` has the handler's part of the rest; what
  /// remains is the time to hand the answer to the kernel.
  std::chrono::nanoseconds read{0};
  /// When the duration ended; for a connection that broke, when that was found out.
  std::chrono::steady_clock::time_point ended = std::chrono::steady_clock::now();
};

/// Called from the thread of the connection after each answer. Where several threads serve, they may call it at the
/// same time. It must not throw.
using access_log_function = std::function<void(access_record const&)>;

}  // namespace petstore::server
