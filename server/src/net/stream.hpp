// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace petstore::server::net {

/// The result of a call that does not wait.
enum class status : std::uint8_t {
  moved,    ///< it made some progress
  blocked,  ///< it must be repeated when the socket is ready
  ended,    ///< the client sends no more
  failed,   ///< the connection is broken
};

struct transfer {
  net::status status = net::status::failed;
  std::size_t bytes = 0;  ///< the number of bytes read or written
};

/// The two directions of a connection, encrypted or not. No call waits: after `blocked` the caller awaits
/// `socket_stream::ready` and repeats the same call. One thread.
class stream {
 public:
  /// Whether a read may return something. A caller that asks first needs an input buffer only when there may be input.
  virtual bool may_read() = 0;
  /// Whether bytes of the client have arrived that were not read yet.
  virtual bool has_unread() const noexcept = 0;
  /// Reads what has arrived, as far as it fits in `buffer`, which is not empty.
  virtual transfer read(std::span<char> buffer) = 0;
  /// Writes a part of `bytes`, which are not empty. After `blocked`, the next call must pass the same bytes again.
  virtual transfer write(std::string_view bytes) = 0;
  /// Ends our direction. The socket can still read what the client sends.
  virtual status shut_down() = 0;

 protected:
  ~stream() = default;
};

}  // namespace petstore::server::net
