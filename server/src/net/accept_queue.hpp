// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdint>
#include <optional>

namespace petstore::server::net {

namespace asio = boost::asio;

/// Adapts the length of the kernel's queue of connections that wait for their accept. While connections are accepted in
/// time, the queue has the length the acceptor was opened with. When it is too long twice in a row (once may be a
/// burst), it is shortened to the number that can be accepted in time. The kernel then drops connections beyond it,
/// which costs next to nothing. Otherwise an overloaded thread would accept only connections whose clients have given
/// up, each in place of one that is in time.
///
/// Thread safety: none; belongs to the acceptor's thread.
class accept_queue {
 public:
  using time = std::chrono::steady_clock::time_point;

  /// The queue is never made shorter than this, since a queue this short is no sign of overload.
  static constexpr std::uint32_t shortest = 64;

  /// `sharers` is the number of acceptors of the queue; each accepts about as much as the others.
  accept_queue(asio::ip::tcp::acceptor&, std::chrono::milliseconds wait_max, time now, std::size_t sharers = 1);

  /// The number of connections that wait in the queue; nullopt where the kernel does not report it.
  std::optional<int> waiting() const noexcept;
  void accepted() noexcept { ++accepted_; }
  /// Judges the queue by what was accepted since the last call. Call it every now and then; the caller reads `now`.
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
