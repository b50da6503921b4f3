// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "petstore/redis/address.hpp"
#include "petstore/redis/error.hpp"
#include "petstore/redis/inspection.hpp"
#include "petstore/redis/options.hpp"
#include "petstore/redis/reply.hpp"
#include "petstore/redis/script.hpp"

namespace petstore::redis {

namespace asio = boost::asio;

struct call;

/// A client of Redis 6 and later, and of Valkey: one server, a master behind sentinels, or a cluster. Calls are
/// pipelined on one connection for each server. The client connects by itself and goes on trying for ever; a call never
/// waits for that: without a connection it fails at once.
///
///     [connecting] --introduced--> [connected] --lost--> [waiting, longer each time] --> [connecting]
///     any --close()--> [closed]
///
/// Thread safety: construct, destroy and call from any thread. What is awaited completes on the executor of the
/// coroutine that awaits it. The client's own work, callbacks included, runs on the executor given, which must be one
/// thread or a strand and must outlive the client. The destructor closes.
///
/// Cancellation does not reach a call; its deadline does.
class client {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  /// Begins to connect. Throws std::runtime_error, with a sentence, when a file for TLS cannot be used.
  client(asio::any_io_executor, client_options);
  ~client();
  client(client const&) = delete;
  client& operator=(client const&) = delete;

  /// Runs a script by its digest, and by its text where the server does not have it (yet, or since SCRIPT FLUSH). All
  /// keys hash to one slot of a cluster: give them one `{tag}`. The script must outlive the call.
  asio::awaitable<result<reply>> run_script(script const&, std::vector<std::string> keys,
                                            std::vector<std::string> arguments, time_point deadline);

  /// Any command but those that change the connection (SUBSCRIBE, SELECT, MULTI, …). `key` says which node of a cluster
  /// is asked; empty: any. An error of the server is a failure, not a reply.
  asio::awaitable<result<reply>> command(std::vector<std::string> words, std::string key, time_point deadline);

  /// When there is a connection to every server in charge, or not by the deadline: `not_connected`, saying why.
  asio::awaitable<result<void>> wait_until_connected(time_point deadline);

  /// What whoever keeps something of value there should know: of each server in charge, so one unless it is a cluster.
  asio::awaitable<result<std::vector<inspection>>> inspect(time_point deadline);

  /// Whether there is a connection to every server in charge. Any thread, at any rate.
  bool is_connected() const noexcept;
  client_counters counters() const noexcept;

  /// Ends every connection, and every call with errc::closed. Again: nothing.
  void close();

 private:
  class core;
  asio::awaitable<result<reply>> begin(std::unique_ptr<call>);

  std::shared_ptr<core> core_;  ///< shared with what is under way on the executor, which ends after close()
};

}  // namespace petstore::redis
