// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "engine/live_page.hpp"
#include "engine/run_plan.hpp"
#include "engine/worker.hpp"
#include "figures/results.hpp"
#include "report/live_line.hpp"

namespace petstore::load {

/// Plays a plan once: it starts the threads, calls an observer, handles Ctrl-C, and collects the results. The calling
/// thread runs an io_context and sends nothing itself.
///
/// Thread safety: `play` on one thread; `stop` from any thread, also from the observer.
class run {
 public:
  using onlooker = std::function<void(live_status const&)>;

  /// Keeps a reference to the plan. Throws std::runtime_error with a sentence if the files for TLS cannot be read, or
  /// if the live page cannot be served.
  explicit run(run_plan const&);

  /// Blocks until the run is over. Calls `look` several times a second. SIGINT and SIGTERM stop the run; a second
  /// signal ends the process at once, with the exit code that a shell expects. Rethrows exceptions of workers:
  /// std::system_error if the machine has no descriptors for the tool itself.
  results play(onlooker look);

  /// Begins no more operations. `why` completes the sentence "It was ended by …".
  void stop(std::string why);
  /// Where the live page is served; 0 without one.
  std::uint16_t live_port() const { return page_ ? page_->port() : std::uint16_t{0}; }
  bool was_interrupted() const noexcept { return interrupts_ > 0; }
  /// Whether it had as many errors as run_plan::errors says.
  bool was_ended_by_errors() const noexcept { return plan_.errors && errors_left_ <= 0; }

 private:
  void watch_signals();
  void watch_progress(onlooker const&);
  void play_worker(worker&) noexcept;
  void worker_ended();
  live_status status() const;
  results found() const;
  std::string ending(instant end) const;

  run_plan const& plan_;
  std::unique_ptr<tls_settings> tls_;
  script const text_;
  instant begin_{};  ///< the beginning of the warm-up
  std::atomic<std::int64_t> errors_left_;
  std::deque<worker> workers_;
  unsigned playing_ = 0;
  std::exception_ptr fault_;
  std::string stopped_by_;
  unsigned interrupts_ = 0;
  std::string started_;

  boost::asio::io_context io_{1};
  boost::asio::signal_set signals_{io_};
  boost::asio::steady_timer timer_{io_};
  std::unique_ptr<live_page> page_;
};

}  // namespace petstore::load
