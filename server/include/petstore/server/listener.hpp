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

/// Accepts connections and holds their sessions.
///
///     [listening] --begin_drain()--> [announcing] --stop()--> [finishing] --last session--> [done]
///
/// Announcing: still accepts, every answer carries `Connection: close`. Finishing: what the kernel had accepted by then
/// is served, nothing new is taken, idle connections are closed.
///
/// Thread safety: all calls on the acceptor's executor, which must run on one thread or be a strand. The handler and
/// the budget outlive the listener; the listener outlives its sessions (await `stop`).
class PETSTORE_EXPORT listener {
 public:
  /// An acceptor that is not open accepts nothing: such a listener has what `take` gives it.
  listener(asio::ip::tcp::acceptor, http_handler&, connection_limits const&, connection_budget&, log_function,
           access_log_function, listener_options const& = {});
  ~listener();
  listener(listener const&) = delete;
  listener& operator=(listener const&) = delete;

  /// Begins to accept. Once.
  void start();
  /// A connection that somebody else accepted, on this listener's executor, and of which nothing was read. Not after
  /// `stop`.
  void take(asio::ip::tcp::socket);
  /// Time-outs hold for every connection from its next step on, sizes for connections that are accepted from now on.
  /// `accept_wait`, `turn_wait` and `connections_few` stay as they were.
  void set_limits(connection_limits const&);
  /// From now on each answer announces the end of its connection. Once; before `stop`.
  void begin_drain();
  /// Completes when the last session is gone, and nothing of the listener is left on its executor. Connections that are
  /// still there after `timeout` are closed; a handler that is at work is waited for. False: a request that had come,
  /// or begun to, was cut off.
  asio::awaitable<bool> stop(std::chrono::milliseconds timeout);

  /// Where it listens; a default-made endpoint where it was given no open acceptor.
  asio::ip::tcp::endpoint local_endpoint() const;
  /// Connections that are open.
  std::size_t session_count() const noexcept;

 private:
  struct impl;
  std::shared_ptr<impl> impl_;
};

}  // namespace petstore::server
