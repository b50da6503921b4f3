// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "petstore/export.hpp"
#include "petstore/server/connection_budget.hpp"
#include "petstore/server/handshake_budget.hpp"
#include "petstore/server/http_handler.hpp"
#include "petstore/server/log.hpp"
#include "petstore/server/tls.hpp"

namespace petstore::server {

class metrics_shard;

/// Every limit of a connection. All are settings of the program.
struct PETSTORE_EXPORT connection_limits {
  std::chrono::milliseconds header_timeout{10'000};   ///< from the first byte of a head to its end
  std::chrono::milliseconds request_timeout{30'000};  ///< from the first byte of a head to the end of the body
  std::chrono::milliseconds idle_timeout{75'000};     ///< between two requests
  std::chrono::milliseconds write_timeout{30'000};    ///< for one answer, however much of it was taken
  std::chrono::milliseconds crowded_timeout{2'000};   ///< for any waiting, when its place is needed for another client
  std::chrono::milliseconds accept_wait{500};         ///< for a new connection; the kernel drops what would wait longer
  std::chrono::milliseconds turn_wait{500};       ///< for the thread; when requests wait longer, some connections go
  std::size_t connections_few = 256;              ///< of a thread: so many never go because of that
  std::size_t request_line_bytes_max = 8 * 1024;  ///< 414 beyond
  std::size_t header_bytes_max = 8 * 1024;        ///< after the request line; 431 beyond
  std::size_t header_fields_max = 100;            ///< 431 beyond
  std::size_t body_bytes_max = 64 * 1024;         ///< 413 beyond
};

/// How connections reach a listener.
struct PETSTORE_EXPORT listener_options {
  /// Each connection begins with a header of the PROXY protocol (version 1 or 2), which says who the client is. A
  /// connection that does not come from one of the trusted proxies is closed at once.
  bool expects_proxy_header = false;
  std::vector<address_range> trusted_proxies;  ///< whose PROXY headers are believed; the same as the service's
  /// What connections are encrypted by; nullptr: they are not. A PROXY header comes before the handshake. Shared: a
  /// host keeps it to replace the certificate, listeners of any number may use it.
  std::shared_ptr<tls_context> tls = nullptr;
  /// Which handshakes may begin; the connections of others are closed before any cryptography. nullptr: all of them.
  /// Outlives the listener.
  handshake_budget* handshakes = nullptr;
  /// The acceptor's socket was open before this process and stays open after it (adopt_acceptors): so many listeners
  /// take connections from it, and what waits there when one stops is left to who comes next. 0: it is the listener's
  /// own.
  std::size_t sharers = 0;
  /// Where it is counted which connections are refused or let go, and why; nullptr: nowhere. Outlives the listener,
  /// whose thread alone writes to it.
  metrics_shard* counters = nullptr;
  /// Kept until the last connection is gone, of a listener that is destroyed without a stop too: who owns the handler,
  /// the budgets and the counters, say.
  std::shared_ptr<void const> owner = nullptr;
};

/// So many connections may wait to be accepted on each acceptor.
inline constexpr int backlog_default = 4096;

/// Binds one acceptor for each executor to the same endpoint (SO_REUSEPORT), so that every thread accepts for itself. A
/// plain bind is tried first: a port that another program holds is an error (address_in_use), not a silent share.
/// Port 0: all share the port that the first one got. Throws boost::system::system_error.
PETSTORE_EXPORT std::vector<asio::ip::tcp::acceptor> open_acceptors(asio::ip::tcp::endpoint,
                                                                    std::vector<asio::any_io_executor> const&,
                                                                    int backlog = backlog_default);

/// The same over a socket that listens already and was handed to this process, which owns the descriptor from now on:
/// every executor's acceptor takes from its one queue. Whoever else holds the socket goes on holding it.
PETSTORE_EXPORT std::vector<asio::ip::tcp::acceptor> adopt_acceptors(int socket,
                                                                     std::vector<asio::any_io_executor> const&,
                                                                     int backlog = backlog_default);

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
