// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstddef>
#include <memory>

#include "petstore/export.hpp"
#include "petstore/server/acceptors.hpp"
#include "petstore/server/access_log.hpp"
#include "petstore/server/connection_budget.hpp"
#include "petstore/server/connection_limits.hpp"
#include "petstore/server/http_handler.hpp"
#include "petstore/server/listener_options.hpp"
#include "petstore/server/log.hpp"

namespace petstore::server {

/// Accepts connections and serves them.
///
///     [listening] --begin_drain()--> [announcing] --stop()--> [finishing] --last session--> [done]
///
/// In the state announcing it still accepts, and every answer carries `Connection: close`. In the state finishing it
/// serves the connections that the kernel had accepted before, takes no new ones, and closes idle connections.
///
/// Thread safety: all calls on the acceptor's executor, which must run on one thread or be a strand. The handler and
/// the budget must outlive the listener; the listener must outlive its sessions (await `stop`).
class PETSTORE_EXPORT listener {
 public:
  /// An acceptor that is not open accepts nothing: such a listener serves only the connections given to `take`.
  listener(asio::ip::tcp::acceptor, http_handler&, connection_limits const&, connection_budget&, log_function,
           access_log_function, listener_options const& = {});
  ~listener();
  listener(listener const&) = delete;
  listener& operator=(listener const&) = delete;

  /// Begins to accept. Call it once.
  void start();
  /// Serves a connection that was accepted elsewhere, on this listener's executor, and from which nothing was read.
  /// Must not be called after `stop`.
  void take(asio::ip::tcp::socket);
  /// Time-outs apply to every connection from its next step on, sizes to connections that are accepted from now on.
  /// `accept_wait`, `turn_wait` and `connections_few` do not change.
  void set_limits(connection_limits const&);
  /// From now on each answer announces the end of its connection. Call it once, before `stop`.
  void begin_drain();
  /// Completes when the last session has ended and nothing of the listener is left on its executor. Connections that
  /// are still open after `timeout` are closed; a running handler is awaited. Returns false if a request that had
  /// arrived, or had begun to arrive, was cut off.
  asio::awaitable<bool> stop(std::chrono::milliseconds timeout);

  /// The endpoint it listens on; a default-constructed endpoint if the acceptor was not open.
  asio::ip::tcp::endpoint local_endpoint() const;
  /// The number of open connections.
  std::size_t session_count() const noexcept;

 private:
  struct impl;
  std::shared_ptr<impl> impl_;
};

}  // namespace petstore::server
