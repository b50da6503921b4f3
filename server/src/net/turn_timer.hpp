// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <functional>
#include <memory>

#include "net/poller.hpp"

namespace petstore::server::net {

/// The poller notifies it as if it were a socket that has become ready, after all those that are ready by then. So it
/// measures how long they wait for their turn. Same thread as the poller.
class turn_timer final : private poller::target {
 public:
  /// Throws boost::system::system_error when there are no descriptors left.
  turn_timer(std::shared_ptr<poller>, std::function<void()> expired);
  ~turn_timer();
  turn_timer(turn_timer const&) = delete;
  turn_timer& operator=(turn_timer const&) = delete;

  /// `expired` is called once, when its turn comes.
  void start() noexcept;

 private:
  void on_ready(std::uint32_t) override;

  std::shared_ptr<poller> const poller_;
  std::function<void()> const expired_;
  int const fd_;  ///< always ready, so that `notify_again` is enough
  bool is_started_ = false;
};

}  // namespace petstore::server::net
