// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "thread_context.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <utility>

#include "petstore/asio/as_result.hpp"
#include "petstore/limits/instant.hpp"

namespace petstore::server {
namespace {

clock_function request_clock(application_options const& o) {
  return o.clock ? o.clock : clock_function{limits::frequent_clock{}};
}

}  // namespace

thread_context::thread_context(asio::any_io_executor executor, common_parts common, metrics_shard& counters)
    : executor_{std::move(executor)},
      common_{common},
      counters_{counters},
      service_{common.options.service,
               {.store = *common.shared->store,
                .quotas = *common.shared->quotas,
                .keys = common.keys,
                .counters = counters,
                .state = common.shared->state,
                .clock = request_clock(common.options),
                .log = common.options.log,
                .description = common.description,
                .check = common.options.keys,
                .bans = &common.bans,
                .flights = &common.shared->flights,
                .watch = &common.thresholds}},
      pages_{common.shared->mounts, service_},
      handler_{common.options.mounts.empty() ? static_cast<http_handler&>(service_) : pages_},
      limits_{common.options.connections},
      access_log_{common.options.make_access_log ? common.options.make_access_log() : common.options.access_log} {}

void thread_context::listen(asio::ip::tcp protocol, net::descriptor socket) {
  if (has_stopped_) return;
  try {
    asio::ip::tcp::acceptor own{executor_};
    own.assign(protocol, socket.get());
    socket.release();
    open(std::move(own));
  } catch (std::exception const& e) {
    report_failure(e.what());
  }
}

void thread_context::serve(asio::ip::tcp protocol, net::descriptor socket) {
  if (has_stopped_) return;
  try {
    asio::ip::tcp::socket own{executor_};
    own.assign(protocol, socket.get());
    socket.release();
    if (!accepted_by_host_) accepted_by_host_ = &open(asio::ip::tcp::acceptor{executor_});
    accepted_by_host_->take(std::move(own));
  } catch (std::exception const& e) {
    report_failure(e.what());
  }
}

listener& thread_context::open(asio::ip::tcp::acceptor acceptor) {
  listener_options options = common_.options.listeners;
  options.counters = &counters_;
  options.handshakes = &common_.shared->handshakes;
  options.state = &common_.shared->state;
  options.owner = common_.shared;
  auto opened = std::make_unique<listener>(std::move(acceptor), handler_, limits_, common_.shared->budget,
                                           common_.options.log, access_log_, options);
  opened->start();
  return *listeners_.emplace_back(std::move(opened));  // only now, so that `stop` waits for none that did not start
}

/// There are no descriptors or no memory. The socket is lost, and the host's executor runs on.
void thread_context::report_failure(std::string_view why) const noexcept {
  common_.options.log(severity::error, "listener_failed", why, {});
}

/// Stops all listeners at once: while one waits for a client, the others accept nothing more. May be called again.
asio::awaitable<void> thread_context::stop(std::chrono::milliseconds timeout) {
  struct progress {
    std::size_t left;
    asio::steady_timer all_stopped;
    bool is_whole = true;
  };
  std::shared_ptr<progress> stopping;  // shared with the listeners: when one cannot begin, the others end after this
  try {
    // What was posted before the drain began may still be in the executor's queue: a drain on the executor itself
    // begins within the same turn, and what a handler posts to its own executor may come after what another thread
    // posts. One more turn lets it go first.
    co_await asio::post(executor_, asio::use_awaitable);
    has_stopped_ = true;
    stopping = std::make_shared<progress>(
        progress{listeners_.size(), asio::steady_timer{executor_, asio::steady_timer::time_point::max()}});
    auto const one_stopped = [stopping](boost::system::error_code failed, bool is_whole) {
      if (failed || !is_whole) stopping->is_whole = false;
      if (--stopping->left == 0) stopping->all_stopped.cancel();
    };
    for (auto const& l : listeners_) l->async_stop(timeout, one_stopped);
  } catch (...) {
    has_stopped_ = true;
    is_whole_ = false;
    throw;
  }
  while (stopping->left != 0) co_await stopping->all_stopped.async_wait(as_result);
  if (!stopping->is_whole) is_whole_ = false;
  listeners_.clear();
  accepted_by_host_ = nullptr;
}

void thread_context::reconfigure(connection_limits const& connections, service_options const& options,
                                 std::shared_ptr<page const> description) {
  limits_ = connections;
  for (auto const& l : listeners_) {
    try {
      l->set_limits(connections);
    } catch (std::exception const& e) {
      report_failure(e.what());
    }
  }
  service_.reconfigure(options, std::move(description));
}

}  // namespace petstore::server
