// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "net/listener_state.hpp"
#include "net/socket_stream.hpp"
#include "net/tls/stream.hpp"
#include "petstore/server/handshake_budget.hpp"

namespace petstore::server::tls {

/// The handshake of an encrypted connection, and its counters. It computes nothing, and holds no memory of OpenSSL,
/// before the client has sent a complete ClientHello and its address may begin a handshake. One thread.
class handshake {
 public:
  enum class progress : std::uint8_t {
    blocked,     ///< call again when the socket is ready
    complete,    ///< `take_stream` returns the stream for the rest of the connection
    plain_text,  ///< the client speaks HTTP without TLS
    forbidden,   ///< its address has used its share of handshakes
    failed,      ///< the stream has the reason, and an alert to send
    ended,       ///< the connection has ended
  };

  handshake(net::listener_state&, listener_tls&, net::socket_stream&, handshake_budget::address const& client);
  handshake(handshake const&) = delete;
  handshake& operator=(handshake const&) = delete;

  /// Goes on as far as possible without waiting. `arrived`: the bytes that were read before, at the first call only.
  progress advance(std::string_view arrived = {});
  std::unique_ptr<stream> take_stream() noexcept { return std::move(stream_); }

  /// Counts the failure of the handshake, unless its end is counted already.
  void count_failure(handshake_failure) noexcept;

 private:
  bool may_begin();
  progress look_at(std::string_view arrived);
  void count_complete() noexcept;

  net::listener_state& shared_;
  listener_tls& tls_;
  net::socket_stream& socket_;
  handshake_budget::address const client_;
  std::string hello_;               ///< as long as it is incomplete
  std::unique_ptr<stream> stream_;  ///< from the complete ClientHello on
  std::optional<handshake_budget::slot> under_way_;
  bool is_counted_ = false;
};

}  // namespace petstore::server::tls
