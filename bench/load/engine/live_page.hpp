// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <string>

namespace petstore::load {

/// How long a visitor of the live page may take.
inline constexpr std::chrono::seconds live_page_patience{5};

/// Serves the live figures of a run at /metrics, for Prometheus. Each connection gets one answer. A request has at most
/// 8 KiB, and a connection lasts at most `live_page_patience`.
///
/// Thread safety: that of its io_context, which one thread runs. Handlers refer to the page, so it outlives them.
class live_page {
 public:
  /// Throws std::runtime_error with a sentence if it cannot listen there.
  live_page(boost::asio::io_context&, boost::asio::ip::tcp::endpoint const&);

  void show(std::string text) { text_ = std::move(text); }
  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

 private:
  struct visit;
  void accept();

  boost::asio::ip::tcp::acceptor acceptor_;
  std::string text_;
};

}  // namespace petstore::load
