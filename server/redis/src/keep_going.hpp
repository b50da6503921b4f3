// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <chrono>
#include <exception>
#include <thread>
#include <utility>

namespace petstore::redis {

namespace asio = boost::asio;

/// Runs a coroutine on which others depend for as long as its owner lives: `make` makes it, and once more when it ended
/// by an exception. That is for lack of memory, which may also keep it from beginning, unseen by itself. Then there may
/// be none for a timer either, so it is the thread that pauses.
template <class Make>
void keep_going(asio::any_io_executor executor, std::chrono::milliseconds pause, Make make) noexcept {
  for (;;) {
    try {
      auto work = make();
      auto ended = [executor, pause, make](std::exception_ptr const& lack) {
        if (!lack) return;
        std::this_thread::sleep_for(pause);
        keep_going(executor, pause, make);
      };
      return asio::co_spawn(executor, std::move(work), std::move(ended));
    } catch (std::exception const&) {
      std::this_thread::sleep_for(pause);
    }
  }
}

}  // namespace petstore::redis
