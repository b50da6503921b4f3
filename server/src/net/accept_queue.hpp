// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdint>

namespace petstore::server::net {

namespace asio = boost::asio;

/// How many new connections the kernel keeps waiting for their accept. As many as the acceptor was opened for, while
/// they are accepted in time. When more wait than that twice in a row (once may be a burst), the kernel keeps no more
/// than can be accepted in time and drops what comes beside them, which costs next to nothing. Otherwise a thread that
/// has too much to do would accept nothing but connections whose clients have given up, each at the price of one that
/// is in time.
///
/// Thread safety: none; belongs to the acceptor's thread.
class accept_queue {
 public:
  using time = std::chrono::steady_clock::time_point;

  /// So many may wait whatever happens: a queue this short is no sign of too much to do.
  static constexpr std::uint32_t shortest = 64;

  /// `sharers` accept from the queue, each about as much.
  accept_queue(asio::ip::tcp::acceptor&, std::chrono::milliseconds wait_max, time now, std::size_t sharers = 1);

  void accepted() noexcept { ++accepted_; }
  /// Every now and then; judges by what was accepted since the last time. `now` is read by whoever calls.
  void adapt(time now) noexcept;

 private:
  asio::ip::tcp::acceptor& acceptor_;
  std::chrono::milliseconds const wait_max_;
  double const sharers_;
  std::uint32_t longest_;
  std::uint32_t accepted_ = 0;
  bool was_long_ = false;
  time last_;
};

}  // namespace petstore::server::net
