// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ssl/context.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "channel.hpp"
#include "greeting.hpp"
#include "petstore/redis/options.hpp"

namespace petstore::redis {

/// Connects to the nodes of one address. On one executor. Shared by all parts of a client that connect; they may exist
/// a moment longer than the client.
class dialer {
 public:
  struct greeted {
    std::shared_ptr<channel> line;
    greeting_answer said;
  };

  /// Throws std::runtime_error if a file for TLS cannot be used.
  dialer(asio::any_io_executor, redis::address, std::string name, client_limits const&);

  /// Connects to a node, with TLS if the address says so, and sends nothing.
  asio::awaitable<result<std::shared_ptr<channel>>> open(node);
  /// Connects to a node and sends the greeting.
  asio::awaitable<result<greeted>> greet(node);

  /// Closes every channel that it opened, and opens no more.
  void close();

  asio::any_io_executor const& executor() const noexcept { return executor_; }
  redis::address const& address() const noexcept { return address_; }
  client_limits const& limits() const noexcept { return limits_; }
  channel::time_point deadline() const { return std::chrono::steady_clock::now() + limits_.connect_max; }
  std::uint32_t random() { return static_cast<std::uint32_t>(random_()); }

 private:
  asio::any_io_executor const executor_;
  redis::address const address_;
  std::string const name_;
  client_limits const limits_;
  names::lookup names_;
  std::optional<asio::ssl::context> tls_;
  std::vector<std::weak_ptr<channel>> opened_;
  bool closed_ = false;
  std::minstd_rand random_{std::random_device{}()};
};

}  // namespace petstore::redis
