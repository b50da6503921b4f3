// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <thread>

namespace petstore::tests {

/// A context with a thread that runs it. finish(), or the destructor, waits until the context has no more work.
class running_context {
 public:
  boost::asio::io_context context{1};

  ~running_context() { finish(); }
  void finish() {
    work_.reset();
    if (thread_.joinable()) thread_.join();
  }

  boost::asio::any_io_executor executor() { return context.get_executor(); }
  std::thread::id thread() const { return thread_.get_id(); }

 private:
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{context.get_executor()};
  std::thread thread_{[this] { context.run(); }};
};

}  // namespace petstore::tests
