// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "call.hpp"
#include "channel.hpp"
#include "petstore/redis/options.hpp"
#include "pipeline.hpp"

namespace petstore::redis {

/// Handles many calls at once on one channel. It sends the calls of one turn of the executor together, enforces their
/// deadlines, and closes when the server is silent. It is used once:
///
///     [open] --retire()--> [answering what was sent] --answered, or 100 ms--> [closed]
///       any --close(), lost, silent--> [closed]
///
/// On one executor. Shared by its three coroutines and its owner.
class connection : public std::enable_shared_from_this<connection> {
 public:
  using time_point = call::time_point;
  /// Receives the outcome of each call.
  using answer_function = std::function<void(std::unique_ptr<call>, result<reply>)>;

  /// How long a retired connection waits for the answers to calls that were sent.
  static constexpr std::chrono::milliseconds retirement{100};

  connection(asio::any_io_executor, std::shared_ptr<channel>, client_limits const&, answer_function);

  /// Runs until the connection ends, and returns the reason.
  asio::awaitable<std::string> run();

  /// Sends a call, or completes it at once with a failure.
  void send(std::unique_ptr<call>);

  bool is_open() const noexcept { return !closed_ && !retired_until_; }

  /// Takes no more calls, and closes once those that were sent have their answers.
  void retire(std::string reason);
  /// `sent` is the error of calls that were sent.
  void close(std::string reason, errc sent = errc::connection_lost);

 private:
  asio::awaitable<void> write_all(std::shared_ptr<connection>);
  asio::awaitable<void> keep_time(std::shared_ptr<connection>);
  bool takes(std::unique_ptr<call>&);
  void give_up() noexcept;
  void take(reply);
  void check_time(time_point now);
  void close_if_done();
  time_point next_check() const;
  time_point last_sign() const;

  asio::any_io_executor const executor_;
  std::shared_ptr<channel> const channel_;
  client_limits const limits_;
  answer_function const answer_;

  pipeline pipeline_;
  asio::steady_timer output_;  ///< cancelled when there is something to write
  asio::steady_timer clock_;
  time_point check_at_ = time_point::max();  ///< the time of the next check
  time_point received_;                      ///< when the last reply came
  std::optional<time_point> retired_until_;
  bool closed_ = false;
  std::string reason_;
};

}  // namespace petstore::redis
