// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <functional>
#include <future>
#include <thread>

namespace petstore::tests {

/// A thread that goes on when a handler throws, as the program's does.
class enduring_context {
 public:
  enduring_context()
      : work_{io_.get_executor()}, thread_{[this] {
          while (!ended_) {
            try {
              io_.run();
              ended_ = true;
            } catch (std::exception const&) {  // for lack of memory
            }
          }
        }} {}
  ~enduring_context() { finish(); }
  /// Waits until there is no more work.
  void finish() {
    work_.reset();
    if (thread_.joinable()) thread_.join();
  }
  boost::asio::any_io_executor executor() { return io_.get_executor(); }

  /// On the thread, and done when this returns.
  void run(std::function<void()> const& what) {
    std::promise<void> done;
    boost::asio::post(io_, [&] {
      what();
      done.set_value();
    });
    done.get_future().wait();
  }

 private:
  boost::asio::io_context io_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

}  // namespace petstore::tests
