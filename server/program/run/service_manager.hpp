// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace petstore::program {

/// What started this process and waits to hear of it: systemd, when the unit says Type=notify. It is told by datagrams
/// to a socket (the protocol of sd_notify), which is all that libsystemd would do here. Without such a socket nothing
/// happens. Our end of it is open from the beginning: a process that is out of descriptors is alive, and must be able
/// to say so.
///
/// Thread safety: one thread.
class service_manager {
 public:
  /// `socket`: a path, or @ and an abstract name; empty: there is no manager. `patience`: how long a message may wait
  /// for a manager that reads slowly. One that takes nothing in the first second will not do so in the next, and
  /// meanwhile a thread that serves waits.
  explicit service_manager(std::string socket, std::optional<std::chrono::microseconds> watchdog = {},
                           std::chrono::seconds patience = std::chrono::seconds{1});
  /// As NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID have it.
  static service_manager of_this_process();
  ~service_manager();
  service_manager(service_manager const&) = delete;
  service_manager& operator=(service_manager const&) = delete;

  /// Lines such as READY=1. False when there is a manager and it cannot be reached.
  bool tell(std::string_view state) const noexcept;

  /// How long it waits for WATCHDOG=1 before it ends this process as hung; nullopt: for ever.
  std::optional<std::chrono::microseconds> watchdog() const noexcept { return watchdog_; }

 private:
  std::string const name_;
  std::optional<std::chrono::microseconds> const watchdog_;
  std::chrono::seconds const patience_;  ///< twice that, where signals interrupt
  int socket_ = -1;
};

}  // namespace petstore::program
