// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "petstore/export.hpp"

namespace petstore::server {

/// The body of an answer that is sent in parts, for any length of time: server-sent events. A handler gives it to its
/// response. From then on the connection belongs to the stream and ends with it.
///
/// The session asks for a part when the part before it has been sent. So a slow client makes its stream skip data, not
/// queue it; a client that reads nothing for `write_timeout` is cut off. A stream that waits does not notice that its
/// client has gone, so it should send something now and then; that of a mount is cancelled. When the listener stops,
/// the pending part is the last one. The connection ends with the time-out of the stop at the latest, but the listener
/// goes on waiting for `next`: the stream should end it sooner. That of a mount is left behind.
///
/// Thread safety: used on the connection's thread, one call at a time. It outlives neither the connection nor the
/// handler.
class PETSTORE_EXPORT body_stream {
 public:
  virtual ~body_stream() = default;

  /// Appends the next data to `part`, once there is some. Returns false after the last part. An exception ends the
  /// connection and is logged.
  virtual boost::asio::awaitable<bool> next(std::string& part) = 0;
};

}  // namespace petstore::server
