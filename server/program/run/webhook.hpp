// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "admin/figures.hpp"
#include "log/event_report.hpp"
#include "petstore/server/quota_watch.hpp"
#include "run/webhook_receiver.hpp"

namespace petstore::program {

/// The limits of a webhook.
struct webhook_limits {
  /// The pauses between the five tries for an event: ten minutes in all.
  std::array<std::chrono::milliseconds, 4> pauses{std::chrono::seconds{15}, std::chrono::seconds{45},
                                                  std::chrono::minutes{2}, std::chrono::minutes{7}};
  std::size_t waiting_max = 1'000;                ///< events that are not delivered yet; more are dropped
  std::size_t at_once_max = 16;                   ///< tries at a time; events beyond wait for one to end
  std::chrono::milliseconds cut_time_max{1'000};  ///< the server stops without tries that do not end when they are cut
};

/// Delivers events to a webhook. It tries five times, with pauses between, and then gives the event up.
///
///     [waits] --try--> [under way] --2xx--> [delivered]
///        ^                  |------refused, fifth try, or the server stops--> [given up]
///        '-----pause--------'
///
/// Thread safety: `offer` and `figures` from any thread; neither waits. `offer` takes no lock of its own; it posts to
/// the executor. Everything else on the executor, which runs on one thread. Coroutines share the object, so it is made
/// with std::make_shared.
class webhook : public std::enable_shared_from_this<webhook> {
 public:
  using send_function = std::function<boost::asio::awaitable<webhook_outcome>(std::string body)>;
  using time_point = std::chrono::steady_clock::time_point;

  /// `send` tries once to deliver a message. `cut` makes every try end soon. `log` is called from any thread.
  webhook(boost::asio::any_io_executor, send_function send, std::function<void()> cut, event_report log,
          webhook_limits = {});

  /// Takes an event, or drops it while too many wait.
  void offer(server::quota_threshold const&) noexcept;

  /// The server stops: what waits is tried at once, and from now on each event has one try at most.
  void hurry();
  /// Waits until no event is left, until `limit` at most. The rest is given up, and logged together. Once, after the
  /// last call of `offer`.
  boost::asio::awaitable<void> finish(time_point limit);

  webhook_figures figures() const noexcept;

 private:
  struct delivery {
    server::quota_threshold event;
    std::size_t tries = 0;
  };

  void add(server::quota_threshold const&);
  void drop() noexcept;
  void send_due();
  boost::asio::awaitable<void> attempt(std::shared_ptr<webhook> self, delivery);
  void note(delivery, webhook_outcome const&);
  void give_up(delivery const&, webhook_outcome const&);
  void forget_one();
  bool is_done() const noexcept;
  /// Until no event is left, until `limit` at most.
  boost::asio::awaitable<void> wait_for_all(time_point limit);

  boost::asio::any_io_executor const executor_;
  send_function const send_;
  std::function<void()> const cut_;
  event_report const log_;
  webhook_limits const limits_;

  // Any thread.
  std::atomic<std::size_t> waiting_{0};  ///< offered, and neither delivered nor given up
  std::atomic<bool> is_full_{false};     ///< full, and the log has said so
  std::atomic<std::uint64_t> dropped_{0};

  // On the executor; the figures are read from any thread.
  std::atomic<std::uint64_t> delivered_{0};
  std::atomic<std::uint64_t> given_up_{0};
  std::atomic<std::uint64_t> tries_failed_{0};
  std::multimap<time_point, delivery> queue_;  ///< by when they are tried next
  std::size_t under_way_ = 0;
  boost::asio::steady_timer next_;  ///< for the first of the queue
  boost::asio::steady_timer end_;   ///< for `finish`
  bool is_failing_ = false;         ///< tries fail, and the log has said so
  bool is_stopping_ = false;
  bool is_closed_ = false;
};

}  // namespace petstore::program
