// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <chrono>
#include <functional>

namespace petstore::program {

/// The signals that a server waits for: SIGTERM and SIGINT ask it to stop, SIGHUP asks it to read its files again. A
/// second request to stop ends the process at once with exit code 1.
///
///     [blocked] --unblock()--> [handled by the main thread's loop] --leave_loop()--> [handled without a loop]
///
/// Thread safety: everything on the main thread.
class stop_signals {
 public:
  /// Blocks the signals. Call it before there is another thread, because new threads inherit that, also those of
  /// libraries. So the main thread gets the signals that come before `unblock`, and no other thread gets any.
  static void block();
  /// Call it once the main thread's loop runs. (ThreadSanitizer of g++ 12 loses a signal that arrives in a thread that
  /// has never waited.)
  static void unblock();

  explicit stop_signals(boost::asio::io_context& main);

  /// Begins to handle signals in the loop. `stop` is called by the first signal that asks for it, `reload` by every
  /// SIGHUP.
  void handle(std::function<void()> stop, std::function<void()> reload);
  /// The loop ends, but what is closed after it may hang. SIGTERM and SIGINT mean until the end of the process what
  /// they meant in the loop; SIGHUP is ignored.
  void leave_loop();

  /// Ends the process with exit code 1 when this time is over.
  static void end_process_after(std::chrono::seconds);

 private:
  void await_next();

  boost::asio::signal_set signals_;
  std::function<void()> stop_;
  std::function<void()> reload_;
  bool was_asked_to_stop_ = false;  ///< a second signal ends the process at once
};

}  // namespace petstore::program
