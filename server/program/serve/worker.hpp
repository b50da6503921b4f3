// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstddef>

#include "logging/json_log.hpp"
#include "petstore/server/listener.hpp"
#include "petstore/server/service.hpp"

namespace petstore::program {

/// What all threads that serve requests have in common.
struct shared_parts {
  server::service_options const& options;
  server::page const& description;
  server::connection_limits const& limits;
  ports::store& store;
  ports::quota_source& quotas;
  key_registry const& keys;
  server::metrics& metrics;
  server::readiness const& readiness;
  server::connection_budget& budget;
  json_log& log;
};

/// One thread's share of the service: a service and a listener of its own on the thread's context.
class worker {
 public:
  worker(std::size_t index, boost::asio::io_context&, boost::asio::ip::tcp::acceptor, shared_parts const&);

  /// From any thread; takes effect on the worker's.
  void start();
  void begin_drain();
  /// Stops accepting and finishes; calls back on the worker's thread.
  void stop(std::chrono::milliseconds timeout, std::function<void()> done);

 private:
  boost::asio::io_context& context_;
  json_log& log_;
  server::service service_;
  server::listener listener_;
};

/// Runs a context until it is out of work. What escapes a handler is logged and ends that handler alone.
void run_to_the_end(boost::asio::io_context&, json_log&);

}  // namespace petstore::program
