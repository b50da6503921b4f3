// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <memory>
#include <string_view>
#include <vector>

#include "api/mounted_pages.hpp"
#include "net/descriptor.hpp"
#include "petstore/server/application.hpp"

namespace petstore::server {

/// The parts that connections use when they end. Connections may outlive an application that is destroyed without a
/// drain, or that has left work of mounts behind, so they share these parts.
struct shared_parts {
  std::shared_ptr<ports::store> const store;
  std::shared_ptr<ports::quota_source> const quotas;
  std::vector<mount> const mounts;  ///< work of mounts may be left behind by the application
  connection_budget budget;
  handshake_budget handshakes;
  readiness state = {};
  in_flight flights{};
};

/// The parts of an application that each thread context uses; the application outlives its thread contexts.
struct common_parts {
  application_options const& options;
  std::shared_ptr<shared_parts> const& shared;
  std::shared_ptr<page const> const& description;
  key_registry const& keys;
  ban_log& bans;
  quota_watch& thresholds;
};

/// One executor of an application, with a service, counters and listeners of its own, so that requests on different
/// executors share nothing. Every function is called on the executor.
class thread_context {
 public:
  thread_context(asio::any_io_executor, common_parts, metrics_shard&);

  asio::any_io_executor const& executor() const noexcept { return executor_; }
  /// False if `stop` has cut off a request, or has failed and cannot know.
  bool is_whole() const noexcept { return is_whole_; }

  /// Accepts from the socket, which listens already. Closes it when `stop` has been called. A failure is logged, and
  /// closes it too.
  void listen(asio::ip::tcp protocol, net::descriptor socket);
  /// The same with a connection.
  void serve(asio::ip::tcp protocol, net::descriptor socket);
  asio::awaitable<void> stop(std::chrono::milliseconds timeout);
  /// Closes every connection and listener, even when the executor no longer runs.
  void close() noexcept { listeners_.clear(); }

  void reconfigure(connection_limits const&, service_options const&, std::shared_ptr<page const>);

 private:
  listener& open(asio::ip::tcp::acceptor);
  void report_failure(std::string_view why) const noexcept;

  asio::any_io_executor const executor_;
  common_parts const common_;
  metrics_shard& counters_;
  service service_;
  mounted_pages pages_;
  http_handler& handler_;  ///< the service itself without mounts, which saves a call
  connection_limits limits_;
  access_log_function const access_log_;
  std::vector<std::unique_ptr<listener>> listeners_;
  listener* accepted_by_host_ = nullptr;  ///< one of `listeners_`; it has no acceptor
  bool has_stopped_ = false;
  bool is_whole_ = true;
};

}  // namespace petstore::server
