// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string_view>

#include "net/accept_queue.hpp"
#include "net/connection.hpp"
#include "net/descriptor.hpp"
#include "net/listener_state.hpp"
#include "net/open_connections.hpp"
#include "net/poller.hpp"
#include "net/spare_descriptor.hpp"
#include "net/turn_watch.hpp"
#include "petstore/server/connection_budget.hpp"
#include "petstore/server/listener_options.hpp"

namespace petstore::server::net {

/// Accepts connections of any protocol, decides which may begin, checks their deadlines and ends them. A derived class
/// serves them.
///
/// Its coroutines and connections share it, and may exist longer than its owner. One thread.
class listener : public std::enable_shared_from_this<listener> {
 public:
  listener(asio::ip::tcp::acceptor, listener_state&, connection_budget&, listener_options const&);
  listener(listener const&) = delete;
  listener& operator=(listener const&) = delete;

  // As in server::listener.
  void start();
  void take(asio::ip::tcp::socket);
  void set_limits(connection_limits const&);
  void begin_drain() { shared_.closing = true; }
  /// Completes with whether no request was cut off. Several calls may run at once.
  static asio::awaitable<bool> stop(std::shared_ptr<listener>, std::chrono::milliseconds timeout);
  /// The owner is destroyed: resets every connection.
  void abandon() noexcept;
  asio::ip::tcp::endpoint local_endpoint() const { return address_; }
  std::size_t connection_count() const noexcept { return connections_.count(); }
  asio::any_io_executor executor() { return tick_.get_executor(); }

 protected:
  ~listener() = default;

  std::shared_ptr<net::poller> const& sockets() const noexcept { return sockets_; }

 private:
  /// Begins a connection, which must call `enter` on its registration.
  virtual void serve(descriptor socket, asio::ip::tcp::endpoint const& peer, std::unique_ptr<net::registration>) = 0;
  /// Answers, if that is possible without waiting, and closes.
  virtual void turn_away(descriptor socket, asio::ip::tcp::endpoint const& peer, std::string_view why) = 0;

  void begin_accepting();
  void accept_again() noexcept;
  static asio::awaitable<void> accept_all(std::shared_ptr<listener>);
  void accepting_has_ended();
  asio::awaitable<void> wait_for_connection();
  /// Whether the socket was open before this process, and stays open after it.
  bool is_passed() const noexcept { return options_.sharers != 0; }
  bool shares_queue() const noexcept { return options_.sharers > 1; }
  static asio::awaitable<void> sweep(std::shared_ptr<listener>);
  void sweeping_has_ended();
  void check_connections(steady_time now);
  void report_connections(connection_counts const&) noexcept;

  bool may_connect(asio::ip::tcp::endpoint const& peer) const;
  enum class descriptors : std::uint8_t { free, exhausted };
  void admit(descriptor socket, asio::ip::tcp::endpoint const& peer, descriptors = descriptors::free) noexcept;
  void hold_spare();
  bool accept_with_spare();
  void report_failed_accept(boost::system::error_code const&);
  boost::system::error_code accept_waiting(int at_most);
  int accepted_in_turn() const noexcept;
  void begin_finishing(steady_time end);
  bool is_done() const noexcept { return !is_accepting_ && connections_.count() == 0; }
  void end_if_done();
  void break_off(steady_time now);
  void abort_all() noexcept;
  void report(severity s, std::string_view event, std::string_view detail) const noexcept;

  listener_state& shared_;  ///< with the connections
  listener_options const options_;
  asio::ip::tcp::acceptor acceptor_;
  asio::ip::tcp::endpoint const address_;
  net::accept_queue queue_;
  open_connections connections_;
  std::shared_ptr<net::poller> const sockets_;  // shared with the connections
  net::turn_watch turns_;                       ///< registered with `sockets_`
  connection_counts reported_{};                ///< the counts reported last to the metrics
  net::spare_descriptor spare_;
  asio::steady_timer tick_;
  asio::steady_timer pause_;
  asio::steady_timer done_;  ///< never expires; the sweep, which ends last, cancels it
  bool is_accepting_ = false;
  bool is_sweeping_ = false;
  bool has_cut_off_ = false;  ///< whether a request was cut off because the time to stop was over
  steady_time break_off_at_ = steady_time::max();
  steady_time next_report_;
};

}  // namespace petstore::server::net
