// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "petstore/export.hpp"

namespace petstore::server {

/// The body of an answer that comes in parts, for as long as it takes: server-sent events. A handler gives it to its
/// response, after which the connection is the stream's and ends with it.
///
/// Each part is asked for when the one before has been sent, so that a slow client makes its stream skip, not grow; one
/// that takes nothing for `write_timeout` is cut off. A stream that waits does not notice that its client has gone: it
/// should say something now and then. When the listener stops, the part that is waited for is the last one, and is
/// waited for no longer than the stop's time-out: whoever makes it should end it sooner.
///
/// Thread safety: used on the connection's thread, one call at a time. It outlives neither the connection nor the
/// handler.
class PETSTORE_EXPORT body_stream {
 public:
  virtual ~body_stream() = default;

  /// Appends what comes next to `part`, once there is something. False: that was the last. What it throws ends the
  /// connection and is logged.
  virtual boost::asio::awaitable<bool> next(std::string& part) = 0;
};

}  // namespace petstore::server
