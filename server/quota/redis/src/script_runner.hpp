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

/// Of a script without an answer: whether it has run.
enum class script_fate : std::uint8_t {
  not_run,  ///< surely not, nor will it: there was no connection, or the server refused it
  unknown,  ///< it may have, or may yet: time is up, or the connection went away
};

struct script_failure {
  script_fate fate = script_fate::unknown;
  std::string what;
  bool is_error = false;  ///< the server answered with an error
};

using script_integers = std::vector<std::int64_t>;
using script_answer = std::variant<script_integers, script_failure>;

enum class script_name : std::uint8_t { acquire, heartbeat };

/// Runs scripts on the server that holds a key. Implemented over the real client, and by the tests' model of the
/// server.
class script_runner {
 public:
  virtual ~script_runner() = default;

  /// `keys` carry one hash tag, so that a cluster finds their server. Answers an array of integers, or a failure not
  /// much later than the deadline, and never throws but for lack of memory. Called on the executor that the runner was
  /// made for; any number may be under way, and what they answer may come in any order.
  virtual asio::awaitable<script_answer> run(script_name, std::vector<std::string> keys,
                                             std::vector<std::string> arguments,
                                             std::chrono::steady_clock::time_point deadline) = 0;

  /// From now on whatever is published to this channel is heard, on the executor, as far as there is a connection.
  /// Once.
  virtual void listen(std::string channel, std::function<void(std::string_view payload)> hear) = 0;

  /// Adds what it knows of its connections. Any thread.
  virtual void tell(ports::shared_quota_figures&) const {}
};

}  // namespace petstore::quota
