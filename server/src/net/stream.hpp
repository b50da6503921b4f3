// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace petstore::server::net {

/// What came of a call that does not wait.
enum class status : std::uint8_t {
  moved,    ///< it did what it could
  blocked,  ///< it has to be made again, once the socket is ready
  ended,    ///< the client sends no more
  failed,   ///< the connection is broken
};

struct transfer {
  net::status status = net::status::failed;
  std::size_t bytes = 0;  ///< that were moved
};

/// The two directions of a connection, encrypted or not. No call waits: after one that is blocked the caller awaits
/// `socket_stream::ready` and makes the same call again. One thread.
class stream {
 public:
  /// Whether a read is worth a try. A caller that asks first needs memory for input only when there may be some.
  virtual bool may_read() = 0;
  /// Reads what has arrived, as far as there is room. `room` is not empty.
  virtual transfer read(std::span<char> room) = 0;
  /// Writes a part of `bytes`, which are not empty. After `blocked`, the next call gets the same bytes again.
  virtual transfer write(std::string_view bytes) = 0;
  /// Ends our direction. What the client still sends can be read from the socket afterwards.
  virtual status shut_down() = 0;

 protected:
  ~stream() = default;
};

}  // namespace petstore::server::net
