// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <string>

#include "backoff.hpp"
#include "call.hpp"
#include "connection.hpp"
#include "dialer.hpp"

namespace petstore::redis {

/// Keeps one connection to a server, or to whichever server is the master. It connects again whenever the connection
/// ends.
///
///     [looking] --found, greeted, accepted--> [up] --lost or look_again()--> [waiting] --> [looking]
///     any --leave() or close()--> [closed]
///
/// On one executor. Shared by its coroutine and its owner.
class link : public std::enable_shared_from_this<link> {
 public:
  /// Receives the events of a link. After close() or leave(), only on_answer is called.
  class owner {
   public:
    virtual ~owner() = default;
    virtual void on_answer(link& from, std::unique_ptr<call>, result<reply>) = 0;
    /// Returns a sentence why this server cannot be used; empty if it can.
    virtual std::string check(link&, greeting_answer const&) = 0;
    virtual void on_up(link&) = 0;
    virtual void on_down(link&, std::string const& reason) = 0;
    virtual void on_failed(link&, std::string const& reason) = 0;
  };
  /// Finds the server, which may need a question to another server.
  using locator = std::function<asio::awaitable<result<node>>()>;

  link(std::shared_ptr<dialer>, locator, std::weak_ptr<owner>);

  void start();
  void send(std::unique_ptr<call>);
  bool is_up() const noexcept { return connection_ && connection_->is_open(); }
  /// The server of the last attempt.
  node const& peer() const noexcept { return peer_; }

  /// Looks for the server again, since this one may not be in charge any more: retires the connection, or ends the wait
  /// before the next attempt. An attempt under way begins again, since it may be about to use the same server.
  void look_again(std::string reason);
  /// Ends the link when the calls that were sent have their answers.
  void leave(std::string reason);
  /// Ends the link at once.
  void close();

 private:
  asio::awaitable<void> keep_up(std::shared_ptr<link>);
  asio::awaitable<void> attempt();
  void answer(std::unique_ptr<call>, result<reply>);
  void fail(std::string const& reason);

  std::shared_ptr<dialer> const dialer_;
  locator const locate_;
  std::weak_ptr<owner> owner_;
  asio::steady_timer wait_;
  backoff backoff_;
  std::shared_ptr<connection> connection_;
  node peer_;
  bool looks_again_ = false;  ///< the attempt under way is to begin again
  bool closed_ = false;
};

}  // namespace petstore::redis
