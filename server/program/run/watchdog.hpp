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

/// Tells the service manager that the process is alive, twice in the time after which it would be ended. Alive is:
/// every thread has come round to the handler that it was given. So a thread that hangs, which nothing else here would
/// notice, ends in a restart instead of connections that nobody answers.
///
/// Thread safety: everything on the first context's thread.
class watchdog {
 public:
  using contexts = std::vector<std::unique_ptr<boost::asio::io_context>>;

  watchdog(contexts const&, service_manager const&, server::readiness const&);

  /// Until `stop`; returns at once where nobody waits to hear.
  boost::asio::awaitable<void> run();
  void stop();

 private:
  boost::asio::awaitable<void> hear_every_thread();

  contexts const& contexts_;
  service_manager const& manager_;
  server::readiness const& readiness_;
  boost::asio::steady_timer timer_;
  bool stopped_ = false;
};

}  // namespace petstore::program
