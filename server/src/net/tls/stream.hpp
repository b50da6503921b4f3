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

/// What the encrypted connections of one listener have in common. One thread.
struct host {
  std::shared_ptr<tls_context::impl> const context;
  handshake_budget* const handshakes;  ///< nullptr: all may begin

  /// Where records arrive: room for the longest one and what comes before it. Bytes of one connection are looked at
  /// before those of the next one are read, so all share it.
  std::array<char, 18 * 1024> arriving = {};
  /// Memory for records that are to be sent, of a connection that has some.
  void lend(std::string& output);
  void give_back(std::string& output);
  std::vector<std::string> free_outputs = {};
};

/// TLS over a socket. What is encrypted is sent before anything more is read, so a connection holds no more than a
/// record that is not whole yet, and a few that wait to be sent. One thread.
class stream final : public net::stream {
 public:
  stream(host&, net::socket_stream&);

  /// Goes on with the handshake: `arrived` are bytes of the client, which are copied if they are needed for longer.
  /// `needs_bytes`: call `flush`, then come back with more.
  channel::progress shake_hands(std::string_view arrived);

  bool may_read() override;
  net::transfer read(std::span<char> room) override;
  net::transfer write(std::string_view bytes) override;
  /// With the word to the client that we send no more (close_notify).
  net::status shut_down() override;
  /// Sends what is encrypted; `moved` once all of it is sent.
  net::status flush();

  /// Has what is to be told of the connection. Once it has failed, what is left to send is an alert.
  channel const& engine() const noexcept { return channel_; }

 private:
  bool take_input();
  net::transfer decrypt(std::span<char> room);

  host& host_;
  std::shared_ptr<tls_context::impl> const context_;  // kept: its keys of tickets are asked for by the channel
  net::socket_stream& socket_;
  channel channel_;
  net::status input_ = net::status::moved;  ///< else there is no more
  std::size_t encrypted_ = 0;               ///< of what is to be written, in the output
  std::size_t flushed_ = 0;                 ///< of the output
};

}  // namespace petstore::server::tls
