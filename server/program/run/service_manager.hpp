// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace petstore::program {

/// Notifies the service manager that started this process: systemd, if the unit has Type=notify. It sends datagrams to
/// a socket (the protocol of sd_notify); libsystemd would do no more. Without such a socket it does nothing. The
/// sending socket is open from the start, because a process without free descriptors is still alive and must be able to
/// say so.
///
/// Thread safety: one thread.
class service_manager {
 public:
  /// `socket` is a path, or @ and an abstract name; empty if there is no manager. `patience` is how long a message may
  /// wait for a manager that reads slowly. It is short, because the calling thread waits, and a manager that reads
  /// nothing for a second will probably read nothing in the next one.
  explicit service_manager(std::string socket, std::optional<std::chrono::microseconds> watchdog = {},
                           std::chrono::seconds patience = std::chrono::seconds{1});
  /// Takes the arguments from NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID.
  static service_manager of_this_process();
  ~service_manager();
  service_manager(service_manager const&) = delete;
  service_manager& operator=(service_manager const&) = delete;

  /// Sends lines such as READY=1. Returns false if there is a manager, but it cannot be reached.
  bool tell(std::string_view state) const noexcept;

  /// How long the manager waits for WATCHDOG=1 before it ends this process as hung; nullopt: for ever.
  std::optional<std::chrono::microseconds> watchdog() const noexcept { return watchdog_; }

 private:
  std::string const name_;
  std::optional<std::chrono::microseconds> const watchdog_;
  std::chrono::seconds const patience_;  ///< twice as long if signals interrupt the wait
  int socket_ = -1;
};

}  // namespace petstore::program
