// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "net/connection_host.hpp"
#include "net/socket_stream.hpp"
#include "net/tls/stream.hpp"
#include "petstore/server/handshake_budget.hpp"

namespace petstore::server::tls {

/// The beginning of an encrypted connection, and what is counted of it. Nothing is computed, and no memory of OpenSSL's
/// is held, before the client has sent a whole ClientHello and its address may begin a handshake. One thread.
class handshake {
 public:
  enum class progress : std::uint8_t {
    blocked,     ///< it goes on once the socket is ready
    complete,    ///< `take_stream` has the rest of the connection
    plain_text,  ///< the client speaks HTTP without TLS
    forbidden,   ///< its address has had its share of handshakes
    failed,      ///< `take_stream` knows why, and has an alert to send
    left,        ///< the client is gone
  };

  handshake(net::connection_host&, host&, net::socket_stream&, handshake_budget::address const& client);
  handshake(handshake const&) = delete;
  handshake& operator=(handshake const&) = delete;

  /// As far as it goes without waiting. `arrived`: what was read of it before, at the first call only.
  progress advance(std::string_view arrived = {});
  std::unique_ptr<stream> take_stream() noexcept { return std::move(stream_); }

  /// It has come to nothing, if it has not ended.
  void count_failure(handshake_failure) noexcept;

 private:
  bool may_begin();
  progress look_at(std::string_view arrived);
  void count_complete() noexcept;

  net::connection_host& host_;
  host& tls_;
  net::socket_stream& socket_;
  handshake_budget::address const client_;
  std::string hello_;               ///< while it is not whole
  std::unique_ptr<stream> stream_;  ///< from then on
  std::optional<handshake_budget::slot> under_way_;
  bool is_counted_ = false;
};

}  // namespace petstore::server::tls
