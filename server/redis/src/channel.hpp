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

/// Makes the context for an address with TLS. It verifies the server, and has the client's certificate if there is one.
/// Throws std::runtime_error with a sentence if a file cannot be used.
asio::ssl::context make_tls_context(address const&);

/// A connection to one server, plain or with TLS, that sends bytes and receives replies. It is opened once. All calls
/// on one executor; one coroutine may receive while another one sends. Both share it; the handler of a deadline has
/// only a weak reference.
class channel : public std::enable_shared_from_this<channel> {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  /// Without `tls`, the connection is plain. `names` and `tls` outlive all operations of the channel.
  channel(asio::any_io_executor, names::lookup& names, asio::ssl::context* tls, reply_limits);

  /// The server's certificate must contain `server_name`, or the node's host if that is empty.
  asio::awaitable<result<void>> open(node, std::string server_name, time_point deadline);

  asio::awaitable<result<void>> send(std::string_view bytes);
  /// Waits for the next reply and returns it.
  asio::awaitable<result<reply>> receive();
  /// Returns the next reply if it has been received already.
  result<std::optional<reply>> received();
  /// Sends one command and returns its reply, which may be an error of the server.
  asio::awaitable<result<reply>> ask(std::vector<std::string> words, time_point deadline);

  /// Ends the operations under way with `reason`. A second call does nothing.
  void close(std::string reason);

  node const& peer() const noexcept { return peer_; }

 private:
  asio::awaitable<result<void>> connect(node const&, time_point deadline);
  asio::awaitable<result<void>> shake_hands(std::string const& server_name);
  failure ended(boost::system::error_code const&) const;
  asio::ip::tcp::socket& socket() noexcept { return stream_ ? stream_->next_layer() : *plain_; }

  /// Closes the channel at this time, unless it is called again before; time_point::max() means no limit.
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
