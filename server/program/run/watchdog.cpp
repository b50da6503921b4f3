// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/watchdog.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "petstore/asio/as_result.hpp"

namespace petstore::program {

namespace asio = boost::asio;

watchdog::watchdog(contexts const& all, service_manager const& manager, server::readiness const& readiness)
    : contexts_(all), manager_(manager), readiness_(readiness), timer_(*all.front()) {}

asio::awaitable<void> watchdog::run() {
  auto const patience = manager_.watchdog();
  if (!patience) co_return;
  while (!stopped_) {
    co_await check_every_thread();
    manager_.tell("WATCHDOG=1");
    timer_.expires_after(*patience / 2);
    auto waited = timer_.async_wait(as_result);
    co_await std::move(waited);
  }
}

/// Waits until every thread has run a handler. It does not wait while the server drains: threads end one by one then,
/// and a handler that is posted to an ended thread never runs. The drain timeout limits that time.
asio::awaitable<void> watchdog::check_every_thread() {
  for (auto const& context : contexts_) {
    if (readiness_.draining) co_return;
    auto posted = asio::post(*context, asio::use_awaitable);
    co_await std::move(posted);
  }
}

void watchdog::stop() {
  stopped_ = true;
  timer_.cancel();
}

}  // namespace petstore::program
