// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include "petstore/asio/default_token.hpp"
#include "petstore/asio/operation.hpp"
#include "petstore/export.hpp"
#include "petstore/server/acceptors.hpp"
#include "petstore/server/access_log.hpp"
#include "petstore/server/connection_budget.hpp"
#include "petstore/server/connection_limits.hpp"
#include "petstore/server/http_handler.hpp"
#include "petstore/server/listener_options.hpp"
#include "petstore/server/log.hpp"

namespace petstore::server {

template <class Executor>
class basic_listener;

/// Accepts connections and serves them.
///
///     [listening] --begin_drain() or async_stop()--> [announcing]
///     [announcing] --async_stop(), after up to 50 ms--> [finishing] --last session--> [done]
///
/// In the state announcing it still accepts, and every answer carries `Connection: close`, unless the client has sent
/// more requests already: then the answer to the last of these does. So a busy client learns from an answer that its
/// connection ends. At the end of this state it accepts the connections that wait in the kernel. In the state finishing
/// it accepts nothing, closes idle connections, and serves the others to their end.
///
/// Thread safety: all calls on the acceptor's executor, which must run on one thread or be a strand. The handler and
/// the budget must outlive the listener; the listener must outlive its sessions (`async_stop`).
class PETSTORE_EXPORT listener {
 public:
  using executor_type = asio::any_io_executor;  ///< of the acceptor's executor
  /// A listener whose operation has a default completion token.
  template <class Executor>
  struct rebind_executor {
    using other = basic_listener<Executor>;  ///< that class
  };

  /// An acceptor that is not open accepts nothing: such a listener serves only the connections given to `take`. Throws
  /// std::invalid_argument for an acceptor whose executor is that of a thread pool (`serial_executor`).
  listener(asio::ip::tcp::acceptor, http_handler&, connection_limits const&, connection_budget&, log_function,
           access_log_function, listener_options const& = {});
  ~listener();
  listener(listener const&) = delete;
  listener& operator=(listener const&) = delete;

  /// Begins to accept. Call it once.
  void start();
  /// The acceptor's executor.
  executor_type get_executor() const noexcept;
  /// Serves a connection that was accepted elsewhere, on this listener's executor, and from which nothing was read.
  /// From the state finishing on, it closes the connection at once. The handler may be called before it returns.
  void take(asio::ip::tcp::socket);
  /// Time-outs apply to every connection from its next step on, sizes to connections that are accepted from now on.
  /// `accept_wait`, `turn_wait` and `connections_few` do not change.
  void set_limits(connection_limits const&);
  /// From now on each connection ends with the answer to the last request that has arrived. Call it once, before
  /// `async_stop`.
  void begin_drain();
  /// Completes when the last session has ended and nothing of the listener is left on its executor. Connections that
  /// are still open after `timeout` are closed. A running handler is awaited; only the work of a mount is cancelled,
  /// and left behind if it does not end then (`mount`). May be called again: all calls complete at the same end, and
  /// the earliest time-out counts.
  ///
  /// @completion_signature `void(boost::system::error_code, bool)`. The flag is false if a request that had arrived, or
  /// had begun to arrive, was cut off. Errors: not_enough_memory. The handler is called on its associated executor, by
  /// default the acceptor's, and never within `async_stop`.
  ///
  /// @cancellation All types. The time-out is then over: connections are closed, and the operation completes as usual.
  ///
  /// @thread_safety The acceptor's executor, like all calls. Emit a cancellation signal on the handler's executor.
  ///
  /// @exception_safety Strong: throws std::bad_alloc when there is no memory to begin; then nothing has begun, and the
  /// handler is not called.
  template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code, bool)) Token = asio::use_awaitable_t<>>
  auto async_stop(std::chrono::milliseconds timeout, Token&& token = Token{}) {
    initiation begin{get_executor(), [impl = impl_, timeout](auto&& handler) {
                       auto const pending =
                           make_pending<bool>(std::forward<decltype(handler)>(handler), executor_of(*impl));
                       pending->on_cancellation([weak = std::weak_ptr(impl)](auto&) {
                         if (auto const self = weak.lock()) begin_stop(self, std::chrono::milliseconds{0}, {});
                       });
                       begin_stop(impl, timeout, [pending](boost::system::error_code failed, bool is_whole) {
                         pending->complete(failed, is_whole);
                       });
                     }};
    return asio::async_initiate<Token, void(boost::system::error_code, bool)>(std::move(begin), token);
  }

  /// The endpoint it listens on; a default-constructed endpoint if the acceptor was not open.
  [[nodiscard]] asio::ip::tcp::endpoint local_endpoint() const;
  /// The number of open connections.
  [[nodiscard]] std::size_t session_count() const noexcept;

 private:
  struct impl;
  static executor_type executor_of(impl&) noexcept;
  /// Any thread. `done` may be empty.
  static void begin_stop(std::shared_ptr<impl> const&, std::chrono::milliseconds timeout,
                         std::function<void(boost::system::error_code, bool is_whole)> done);

  std::shared_ptr<impl> impl_;
};

/// A listener whose operation has the default completion token of `Executor`:
/// `asio::deferred_t::as_default_on_t<server::listener>`.
template <class Executor>
class basic_listener : public listener {
 public:
  using listener::listener;

  /// The same as of the base.
  template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code, bool)) Token = default_token<Executor>>
  auto async_stop(std::chrono::milliseconds timeout, Token&& token = Token{}) {
    return listener::async_stop(timeout, std::forward<Token>(token));
  }
};

}  // namespace petstore::server
