// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "call.hpp"
#include "dialer.hpp"
#include "link.hpp"
#include "slot_map.hpp"

namespace petstore::redis {

/// The masters of a cluster, with a link to each, and the map of their slots. It reads the map again whenever there is
/// a sign that it has changed, and while a master cannot be reached.
///
/// On one executor. Shared by its coroutine and its owner.
class cluster : public std::enable_shared_from_this<cluster> {
 public:
  using report_function = std::function<void(state_change)>;

  cluster(std::shared_ptr<dialer>, std::vector<node> seeds, std::weak_ptr<link::owner>, report_function);

  void start();
  /// Returns the link to the master of a slot, or without a slot the link to any connected node. Null if there is none.
  std::shared_ptr<link> way_for(std::optional<std::uint16_t> slot);
  /// Returns the link to this node, whatever the map says.
  std::shared_ptr<link> way_to(node const&);

  /// A node has answered MOVED. That holds until the whole map has been read again.
  void moved(std::uint16_t slot, node const& target);
  void refresh();

  /// Whether every slot has a master that is connected.
  bool is_complete() const;
  std::size_t connected_masters() const;
  std::vector<std::shared_ptr<link>> masters() const;
  void close();

 private:
  asio::awaitable<void> keep_map(std::shared_ptr<cluster>);
  asio::awaitable<result<std::vector<slot_range>>> fetch();
  std::vector<node> candidates() const;
  void apply(std::vector<slot_range> const&);
  std::shared_ptr<link> const& link_to(node const&);

  /// While slots are moved to a node, calls go to it before it has a slot. Its link is kept for this time after the
  /// last of them.
  static constexpr std::chrono::seconds without_slots_max{10};

  struct member {
    std::shared_ptr<link> way;
    std::chrono::steady_clock::time_point asked;
  };

  std::shared_ptr<dialer> const dialer_;
  std::vector<node> const seeds_;
  std::weak_ptr<link::owner> const owner_;
  report_function const report_;
  asio::steady_timer wait_;
  backoff backoff_;

  std::map<node, member> members_;
  std::vector<std::shared_ptr<link>> by_slot_;  ///< empty before the first map
  std::vector<slot_range> map_;
  std::size_t turn_ = 0;  ///< which master gets the next call without a slot
  bool is_stale_ = true;
  bool is_resting_ = false;  ///< it waits, and `refresh` may wake it
  bool closed_ = false;
};

}  // namespace petstore::redis
