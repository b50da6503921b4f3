// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
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

/// A client of Redis 6 and later, and of Valkey: one server, a master behind sentinels, or a cluster. It has one
/// connection to each server and pipelines calls on it. It connects by itself, and tries again for ever. A call never
/// waits for a connection; without one it fails at once.
///
///     [connecting] --greeted--> [connected] --lost--> [waiting, longer each time] --> [connecting]
///     any --close()--> [closed]
///
/// Thread safety: construct, destroy and call from any thread. A coroutine resumes on its own executor after a call.
/// The client's own work and its callbacks run on the given executor, which must run on one thread or be a strand, and
/// must outlive the client. The destructor closes the client.
///
/// A call cannot be cancelled; it ends by its deadline.
class client {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  /// Begins to connect. Throws std::runtime_error, with a sentence, if a file for TLS cannot be used.
  client(asio::any_io_executor, client_options);
  ~client();
  client(client const&) = delete;
  client& operator=(client const&) = delete;

  /// Runs a script by its digest, or by its text if the server does not have it (yet, or after SCRIPT FLUSH). In a
  /// cluster, all keys must belong to one slot: give them the same `{tag}`. The script must outlive the call.
  asio::awaitable<result<reply>> run_script(script const&, std::vector<std::string> keys,
                                            std::vector<std::string> arguments, time_point deadline);

  /// Runs any command except those that change the connection (SUBSCRIBE, SELECT, MULTI, …). `key` says which node of a
  /// cluster gets it; empty: any node. An error of the server is a failure, not a reply.
  asio::awaitable<result<reply>> command(std::vector<std::string> words, std::string key, time_point deadline);

  /// Waits until there is a connection to every server in charge. At the deadline it fails with `not_connected` and
  /// says why.
  asio::awaitable<result<void>> wait_until_connected(time_point deadline);

  /// Asks each server in charge about itself; there is one, unless it is a cluster. The answers tell whether the server
  /// keeps data safely.
  asio::awaitable<result<std::vector<inspection>>> inspect(time_point deadline);

  /// Whether there is a connection to every server in charge.
  bool is_connected() const noexcept;
  /// The number of servers in charge that there is a connection to; there is one, unless it is a cluster.
  std::size_t connected_servers() const noexcept;
  client_counters counters() const noexcept;

  /// Ends every connection, and every call with errc::closed. A second call does nothing.
  void close();

 private:
  class core;
  asio::awaitable<result<reply>> begin(std::unique_ptr<call>);

  std::shared_ptr<core> core_;  ///< shared with the work on the executor, which ends after close()
};

}  // namespace petstore::redis
