// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <utility>

#include "channel.hpp"
#include "dialer.hpp"

namespace petstore::redis {

/// Asks the sentinels of an address, in turn, beginning with the one that answered last. On one executor. Shared by
/// the link that asks and the subscription that listens.
class sentinels {
 public:
  explicit sentinels(std::shared_ptr<dialer>);

  /// Returns where the master is.
  asio::awaitable<result<node>> find_master();

  /// Connects to one of them, and the next time to another one.
  asio::awaitable<result<std::shared_ptr<channel>>> open_next();

  /// Makes the next find_master() return this announced master without asking. The server there must still say that it
  /// is a master.
  void believe(node master) { announced_ = std::move(master); }

 private:
  asio::awaitable<result<node>> ask(node sentinel);
  asio::awaitable<result<std::shared_ptr<channel>>> open(node sentinel);

  std::shared_ptr<dialer> const dialer_;
  std::size_t first_ = 0;     ///< which one is asked first
  std::size_t listened_ = 0;  ///< which one is listened to next
  std::optional<node> announced_;
};

}  // namespace petstore::redis
