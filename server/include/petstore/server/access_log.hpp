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
  server::response const& response;  ///< with `notes`; its body may be gone by now
  /// From the first byte of the head to the last byte handed to the kernel; of an answer that waits to be sent together
  /// with the next one's, to when it was ready.
  std::chrono::nanoseconds duration;
  std::uint64_t bytes_sent;  ///< head and body
  /// Of the duration, until the request was whole. `response.notes` tells what of the rest was the handler's; what is
  /// left was needed to hand the answer to the kernel.
  std::chrono::nanoseconds read{0};
};

/// Called from the thread of the connection after each answer, so that several threads may call it at once where
/// several serve; must not throw.
using access_log_function = std::function<void(access_record const&)>;

}  // namespace petstore::server
