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

  /// Where the master is.
  asio::awaitable<result<node>> find_master();

  /// A connection to one of them, and another one the next time.
  asio::awaitable<result<std::shared_ptr<channel>>> open_next();

  /// What a sentinel announced is believed the next time instead of asking; whoever is found there must still say that
  /// it is the master.
  void believe(node master) { announced_ = std::move(master); }

 private:
  asio::awaitable<result<node>> ask(node sentinel);
  asio::awaitable<result<std::shared_ptr<channel>>> open(node sentinel);

  std::shared_ptr<dialer> const dialer_;
  std::size_t first_ = 0;  ///< which one is asked first
  std::size_t listened_ = 0;
  std::optional<node> announced_;
};

}  // namespace petstore::redis
