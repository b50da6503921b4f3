// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "petstore/ports/shared_quota_figures.hpp"

namespace petstore::quota {

namespace asio = boost::asio;

/// Whether a script without an answer has run.
enum class script_outcome : std::uint8_t {
  not_run,  ///< certainly not, and it never will: there was no connection, or the server refused it
  unknown,  ///< it may have run or may still run: the time is over, or the connection was lost
};

struct script_failure {
  script_outcome outcome = script_outcome::unknown;
  std::string what;
  bool is_error = false;          ///< the server answered with an error
  bool is_of_one_server = false;  ///< the cluster has other servers that are connected, and this says nothing of them
};

using script_integers = std::vector<std::int64_t>;
using script_answer = std::variant<script_integers, script_failure>;

enum class script_name : std::uint8_t { acquire, heartbeat };

/// Runs scripts on the server that holds a key. The real client and the tests' model of the server implement it.
class script_runner {
 public:
  virtual ~script_runner() = default;

  /// `keys` have the same hash tag, so that a cluster finds their server. The result is an array of integers, or a
  /// failure not much later than the deadline; it throws only for lack of memory. Called on the executor of the runner.
  /// Any number of scripts may be under way, and their answers may come in any order.
  virtual asio::awaitable<script_answer> run(script_name, std::vector<std::string> keys,
                                             std::vector<std::string> arguments,
                                             std::chrono::steady_clock::time_point deadline) = 0;

  /// Calls `hear` on the executor for each message on this channel, as long as there is a connection. Called once.
  virtual void listen(std::string channel, std::function<void(std::string_view payload)> hear) = 0;

  /// Sets the counters of its connections. Any thread.
  virtual void tell(ports::shared_quota_figures&) const {}
};

}  // namespace petstore::quota
