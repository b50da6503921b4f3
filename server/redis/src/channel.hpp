// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "petstore/names/lookup.hpp"
#include "petstore/redis/address.hpp"
#include "petstore/redis/error.hpp"
#include "petstore/redis/reply.hpp"
#include "reply_reader.hpp"

namespace petstore::redis {

namespace asio = boost::asio;

/// The context for an address with TLS: verifies the server, shows a certificate of ours where there is one. Throws
/// std::runtime_error with a sentence when a file cannot be used.
asio::ssl::context make_tls_context(address const&);

/// A connection to one server, plain or with TLS, that sends bytes and receives replies. Used once. On one executor;
/// one may receive while another sends. Shared by those, and so that a deadline does not find it gone.
class channel : public std::enable_shared_from_this<channel> {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  /// `tls` null: plain. Both outlive what the channel does.
  channel(asio::any_io_executor, names::lookup&, asio::ssl::context* tls, reply_limits);

  /// `server_name` empty: the node's host must be named by its certificate.
  asio::awaitable<result<void>> open(node, std::string server_name, time_point deadline);

  asio::awaitable<result<void>> send(std::string_view bytes);
  /// The next reply, waiting for bytes when it is not there.
  asio::awaitable<result<reply>> receive();
  /// The next reply if it has been received.
  result<std::optional<reply>> received();
  /// One command and its reply, which may be an error of the server.
  asio::awaitable<result<reply>> ask(std::vector<std::string> words, time_point deadline);

  /// What is under way ends with `reason`, if none was given before.
  void close(std::string reason);

  node const& peer() const noexcept { return peer_; }

 private:
  asio::awaitable<result<void>> connect(node const&, time_point deadline);
  asio::awaitable<result<void>> shake_hands(std::string const& server_name);
  failure ended(boost::system::error_code const&) const;
  asio::ip::tcp::socket& socket() noexcept { return stream_ ? stream_->next_layer() : *plain_; }

  /// Closes when the time comes, unless limited anew; the greatest time means no limit.
  void limit(time_point deadline);

  std::optional<asio::ip::tcp::socket> plain_;                      ///< either this
  std::optional<asio::ssl::stream<asio::ip::tcp::socket>> stream_;  ///< or this
  names::lookup& names_;
  asio::steady_timer timer_;
  reply_reader reader_;
  node peer_;
  std::string reason_;  ///< why it was closed on this side
  bool closed_ = false;
  std::array<char, 16 * 1024> buffer_;
};

}  // namespace petstore::redis
