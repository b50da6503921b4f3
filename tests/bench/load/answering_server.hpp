// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A server in a thread of the test that says what the test wants: also what no server should say.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace petstore::load {

class answering_server {
 public:
  struct reply {
    std::string bytes;   ///< nothing: it says nothing at all
    bool close = false;  ///< after that
  };
  /// `request` is head and body; `nth` counts the requests of all connections, from 1. Called in the server's thread:
  /// while it does not return, nobody is answered.
  using speaker = std::function<reply(std::string_view request, unsigned nth)>;

  struct options {
    std::string greeting;  ///< said to everybody who connects, before any request
    boost::asio::ip::address address = boost::asio::ip::address_v4::loopback();
    boost::asio::ssl::context* tls = nullptr;
  };

  explicit answering_server(speaker);
  answering_server(speaker, options);
  ~answering_server();

  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  std::string url(std::string_view path = "/") const;
  unsigned connections() const noexcept { return connections_; }
  unsigned requests() const noexcept { return requests_; }

 private:
  template <class Stream>
  struct session;

  void accept();

  speaker const speak_;
  options const options_;
  boost::asio::io_context io_{1};
  boost::asio::ip::tcp::acceptor acceptor_;
  std::atomic<unsigned> connections_ = 0;
  std::atomic<unsigned> requests_ = 0;
  std::thread thread_;
};

/// An answer with a length.
std::string answer_with(std::string_view body, std::string_view status = "200 OK", std::string_view fields = {});

/// A server that answers everything with 200.
answering_server::reply ok_to_all(std::string_view request, unsigned nth);

}  // namespace petstore::load
