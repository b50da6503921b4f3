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

/// Runs a coroutine that is needed as long as its owner exists. `make` makes it, and makes it again if it ends by an
/// exception or cannot begin. Only a lack of memory causes that. There may be no memory for a timer either, so the
/// thread itself sleeps for the pause.
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
