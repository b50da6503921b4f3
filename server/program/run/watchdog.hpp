// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <vector>

#include "petstore/server/service.hpp"
#include "run/service_manager.hpp"

namespace petstore::program {

/// Tells the service manager that the process is alive, twice in the manager's time limit. The process is alive if
/// every thread has run a handler that was posted to it. So a thread that hangs leads to a restart; nothing else would
/// notice it.
///
/// Thread safety: everything on the first context's thread.
class watchdog {
 public:
  using contexts = std::vector<std::unique_ptr<boost::asio::io_context>>;

  watchdog(contexts const&, service_manager const&, server::readiness const&);

  /// Runs until `stop`; returns at once if the manager has no watchdog.
  boost::asio::awaitable<void> run();
  void stop();

 private:
  boost::asio::awaitable<void> check_every_thread();

  contexts const& contexts_;
  service_manager const& manager_;
  server::readiness const& readiness_;
  boost::asio::steady_timer timer_;
  bool stopped_ = false;
};

}  // namespace petstore::program
