// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <utility>

#include "channel.hpp"
#include "dialer.hpp"

namespace petstore::redis {

/// Asks the sentinels of an address, in turn, beginning with the one that answered last, unless the master that it
/// named was none. On one executor. Shared by the link that asks and the subscription that listens.
class sentinels {
 public:
  explicit sentinels(std::shared_ptr<dialer>);

  /// Returns the master to connect to: the announced one, or the one that a sentinel names.
  asio::awaitable<result<node>> find_master();
  /// Returns the master that a sentinel names, whatever was announced.
  asio::awaitable<result<node>> ask_in_turn();

  /// Connects to one of them, and the next time to another one.
  asio::awaitable<result<std::shared_ptr<channel>>> open_next();

  /// Makes the next find_master() return this announced master without asking. The server there must still say that it
  /// is a master.
  void believe(node master) { announced_ = std::move(master); }

  /// The master that find_master() returned last cannot be used. If a sentinel named it, the next one is asked first:
  /// a sentinel that is cut off from the others names a dead master for as long.
  void doubt() noexcept;

 private:
  asio::awaitable<result<node>> ask(node sentinel);
  asio::awaitable<result<std::shared_ptr<channel>>> open(node sentinel);

  std::shared_ptr<dialer> const dialer_;
  std::size_t first_ = 0;     ///< which one is asked first
  std::size_t listened_ = 0;  ///< which one is listened to next
  std::optional<node> announced_;
  std::optional<std::size_t> named_by_;  ///< which one named the master that find_master() returned last
};

}  // namespace petstore::redis
