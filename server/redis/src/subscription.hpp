// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <string>

#include "backoff.hpp"
#include "channel.hpp"
#include "dialer.hpp"
#include "petstore/redis/subscriber.hpp"

namespace petstore::redis {

/// Listens to one pattern, and connects again whenever its connection ends. On one executor; shared by its coroutines
/// and its owner.
class subscription : public std::enable_shared_from_this<subscription> {
 public:
  using opener = std::function<asio::awaitable<result<std::shared_ptr<channel>>>()>;
  using listener = std::function<void(subscription_event const&)>;

  subscription(std::shared_ptr<dialer>, opener, std::string pattern, listener);

  void start();
  void close();

 private:
  asio::awaitable<void> keep_listening(std::shared_ptr<subscription>);
  asio::awaitable<std::string> listen();
  asio::awaitable<void> keep_alive(std::shared_ptr<subscription>, std::shared_ptr<channel>);
  void hear(reply);
  void tell(subscription_event const&) const;

  std::shared_ptr<dialer> const dialer_;
  opener const open_;
  std::string const pattern_;
  listener const listener_;
  asio::steady_timer wait_;
  asio::steady_timer heartbeat_;
  backoff backoff_;
  std::shared_ptr<channel> line_;
  channel::time_point heard_;  ///< when the last reply came
  bool is_listening_ = false;
  bool closed_ = false;
};

}  // namespace petstore::redis
