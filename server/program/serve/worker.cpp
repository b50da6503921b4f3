// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "serve/worker.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <utility>

#include "petstore/limits/instant.hpp"

namespace petstore::program {

namespace asio = boost::asio;

worker::worker(std::size_t index, asio::io_context& context, asio::ip::tcp::acceptor acceptor,
               shared_parts const& parts)
    : context_(context),
      log_(parts.log),
      service_(parts.options, parts.description, parts.store, parts.quotas, parts.keys, parts.metrics.shard(index),
               parts.readiness, limits::frequent_clock{}, parts.log.log_function()),
      listener_(std::move(acceptor), service_, parts.limits, parts.budget, parts.log.log_function(),
                parts.log.access_log_function()) {}

void worker::start() {
  asio::post(context_, [this] { listener_.start(); });
}

void worker::begin_drain() {
  asio::post(context_, [this] { listener_.begin_drain(); });
}

void worker::stop(std::chrono::milliseconds timeout, std::function<void()> done) {
  auto stopping = listener_.stop(timeout);
  auto const finish = [this, done = std::move(done)](std::exception_ptr failure) {
    if (failure) log_.write(server::severity::error, "listener_stop_failed", "connections may have been cut off", {});
    done();
  };
  asio::co_spawn(context_, std::move(stopping), finish);
}

void run_to_the_end(asio::io_context& context, json_log& log) {
  for (;;) {
    try {
      context.run();
      return;
    } catch (std::exception const& failure) {
      log.write(server::severity::error, "handler_failed", failure.what(), {});
    }
  }
}

}  // namespace petstore::program
