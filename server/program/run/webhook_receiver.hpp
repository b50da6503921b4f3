// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "config/webhook_address.hpp"

namespace petstore::program {

/// What became of one try to deliver a message.
struct webhook_outcome {
  bool is_delivered = false;
  bool may_try_again = true;  ///< otherwise the receiver will not take this message
  std::string cause = {};     ///< why it is not delivered: a part of a sentence, which shows neither address nor secret
};

/// What an answer with that status means: 2xx takes the message; 4xx refuses it for good, except 408 and 429.
webhook_outcome outcome_of_status(unsigned status);

/// Sends messages to the address of a webhook, each on a connection of its own. It looks only at the status of the
/// answer, and follows no redirection. A connection to https needs a certificate for the name of the host.
///
/// Thread safety: every function on the executor, which runs on one thread.
class webhook_receiver {
 public:
  struct options {
    std::chrono::milliseconds deadline{10'000};  ///< of one try
    std::string authorities = {};                ///< PEM file with those to trust; empty: those of the system
    std::function<std::chrono::system_clock::time_point()> clock = std::chrono::system_clock::now;
  };

  /// `secret` returns what signs the messages. Throws std::runtime_error if the authorities cannot be read.
  webhook_receiver(boost::asio::any_io_executor, webhook_address, std::function<std::string()> secret, options);
  webhook_receiver(boost::asio::any_io_executor, webhook_address, std::function<std::string()> secret);
  ~webhook_receiver();

  /// Sends a message once. The receiver outlives it.
  boost::asio::awaitable<webhook_outcome> send(std::string body);

  /// Ends every connection, and refuses to make more.
  void cut() noexcept;

 private:
  struct impl;
  std::unique_ptr<impl> const impl_;
};

}  // namespace petstore::program
