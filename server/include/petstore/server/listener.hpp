// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "petstore/server/http_handler.hpp"
#include "petstore/server/log.hpp"

namespace petstore::server {

/// Every limit of a connection. All are settings of the program.
struct connection_limits {
  std::chrono::milliseconds header_timeout{10'000};   ///< from the first byte of a head to its end
  std::chrono::milliseconds request_timeout{30'000};  ///< from the first byte of a head to the end of the body
  std::chrono::milliseconds idle_timeout{75'000};     ///< between two requests
  std::chrono::milliseconds write_timeout{30'000};    ///< for one answer, however much of it was taken
  std::size_t request_line_bytes_max = 8 * 1024;
  std::size_t header_bytes_max = 8 * 1024;
  std::size_t header_fields_max = 100;
  std::size_t body_bytes_max = 64 * 1024;
};

/// How bytes come and go.
enum class socket_io : std::uint8_t {
  polled,  ///< system calls when epoll says that they will not block; costs the least where epoll is all there is
  asio,    ///< operations of Asio, for its backends that do more than wait (io_uring)
};
#if defined(BOOST_ASIO_HAS_IO_URING_AS_DEFAULT)
inline constexpr socket_io default_socket_io = socket_io::asio;
#else
inline constexpr socket_io default_socket_io = socket_io::polled;
#endif

/// How many connections the listeners of one service may hold together. Any thread.
class connection_budget {
 public:
  explicit connection_budget(std::size_t max) : max_(max) {}
  bool take() noexcept;
  void give_back() noexcept;
  std::size_t in_use() const noexcept { return in_use_.load(std::memory_order_relaxed); }
  std::size_t max() const noexcept { return max_; }

 private:
  std::size_t const max_;
  std::atomic<std::size_t> in_use_{0};
};

/// Binds one acceptor for each executor to the same endpoint (SO_REUSEPORT), so that every thread accepts for itself. A
/// plain bind is tried first: a port that another program holds is an error (address_in_use), not a silent share.
/// Port 0: all share the port that the first one got. Throws boost::system::system_error.
std::vector<asio::ip::tcp::acceptor> open_acceptors(asio::ip::tcp::endpoint, std::vector<asio::any_io_executor> const&,
                                                    int backlog = 4096);

/// Accepts connections and holds their sessions.
///
///     [listening] --begin_drain()--> [announcing] --stop()--> [finishing] --last session--> [done]
///
/// Announcing: still accepts, every answer carries `Connection: close`. Finishing: what the kernel had accepted by then
/// is served, nothing new is taken, idle connections are closed.
///
/// Thread safety: all calls on the acceptor's executor, which must run on one thread or be a strand. The handler and
/// the budget outlive the listener; the listener outlives its sessions (await `stop`).
class listener {
 public:
  listener(asio::ip::tcp::acceptor, http_handler&, connection_limits const&, connection_budget&, log_function,
           access_log_function, socket_io = default_socket_io);
  ~listener();
  listener(listener const&) = delete;
  listener& operator=(listener const&) = delete;

  void start();
  void begin_drain();
  /// Completes when the last session is gone. Connections that are still there after `timeout` are
  /// closed; a handler that is at work is waited for.
  asio::awaitable<void> stop(std::chrono::milliseconds timeout);

  asio::ip::tcp::endpoint local_endpoint() const;
  std::size_t session_count() const noexcept;

 private:
  struct impl;
  std::shared_ptr<impl> impl_;
};

}  // namespace petstore::server
