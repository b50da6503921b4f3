// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "net/socket_stream.hpp"
#include "net/tls/channel.hpp"
#include "net/tls/context.hpp"
#include "petstore/server/handshake_budget.hpp"
#include "petstore/server/tls.hpp"

namespace petstore::server::tls {

/// The state that the encrypted connections of one listener share. One thread.
struct listener_tls {
  std::shared_ptr<tls_context::impl> const context;
  handshake_budget* const handshakes;  ///< nullptr: all handshakes may begin

  /// Receives records; it holds the longest record and the bytes before it. The bytes of one connection are processed
  /// before the next one is read, so all connections share it.
  std::array<char, 18 * 1024> arriving = {};
  /// Lends memory for encrypted output to a connection that has some to send.
  void lend(std::string& output);
  void give_back(std::string& output);
  std::vector<std::string> free_outputs = {};
};

/// TLS over a socket. Encrypted output is sent before more is read, so a connection holds at most one incomplete record
/// and a few records to send. One thread.
class stream final : public net::stream {
 public:
  stream(listener_tls&, net::socket_stream&);

  /// Goes on with the handshake. `arrived` are bytes of the client, which are copied if they are needed for longer.
  /// `needs_bytes`: call `flush`, then call again with more bytes.
  channel::progress shake_hands(std::string_view arrived);

  bool may_read() override;
  bool has_unread() const noexcept override { return channel_.has_input() || socket_.has_unread(); }
  net::transfer read(std::span<char> buffer) override;
  net::transfer write(std::string_view bytes) override;
  /// Sends close_notify first, which says that we send no more.
  net::status shut_down() override;
  /// Sends encrypted output; returns `moved` when all of it is sent.
  net::status flush();

  /// Has the details for the log and the metrics. After a failure, only an alert is left to send.
  channel const& engine() const noexcept { return channel_; }

 private:
  bool take_input();
  net::transfer decrypt(std::span<char> buffer);

  listener_tls& shared_;
  std::shared_ptr<tls_context::impl> const context_;  // kept: the channel asks for its ticket keys
  net::socket_stream& socket_;
  channel channel_;
  net::status input_ = net::status::moved;  ///< otherwise there is no more
  std::size_t encrypted_ = 0;               ///< plain bytes that are encrypted in the output
  std::size_t flushed_ = 0;                 ///< of the output
};

}  // namespace petstore::server::tls
