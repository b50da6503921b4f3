// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <memory>
#include <optional>

#include "net/descriptor.hpp"
#include "net/listener_state.hpp"
#include "net/open_connections.hpp"
#include "net/poller.hpp"

namespace petstore::server::net {

/// Measures how long ready sockets wait for their turn, for `listener_state::surplus` and the metrics. The poller
/// notifies it as if it were a socket that has become ready, after all those that are ready by then. Same thread as the
/// poller.
class turn_watch final : private poller::target {
 public:
  /// Throws boost::system::system_error when there are no descriptors left.
  turn_watch(std::shared_ptr<poller>, listener_state&, open_connections const&);
  ~turn_watch();
  turn_watch(turn_watch const&) = delete;
  turn_watch& operator=(turn_watch const&) = delete;

  /// Starts a measurement, or reports how long the running one has lasted. Call it every now and then.
  void look(steady_time now);
  /// Reports nothing more: the metrics may be destroyed.
  void stop() noexcept { since_.reset(); }

 private:
  void on_ready(std::uint32_t) override;
  void note_wait() noexcept;

  std::shared_ptr<poller> const poller_;
  listener_state& shared_;
  open_connections const& connections_;
  descriptor const event_;            ///< always ready, so that `notify_again` is enough
  std::optional<steady_time> since_;  ///< the beginning of the measurement
};

}  // namespace petstore::server::net
