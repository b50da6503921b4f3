// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "heartbeat.hpp"

#include "petstore/asio/as_result.hpp"

namespace petstore::storage::postgres {

asio::awaitable<void> heartbeat::run() {
  auto const interval = health_.silence_limit() / part_of_limit;
  while (!stopped_) {
    timer_.expires_after(interval);
    co_await timer_.async_wait(as_result);
    if (stopped_) co_return;
    if (!group_.takes_requests() || health_.has_heard_after(std::chrono::steady_clock::now() - interval)) continue;
    auto asking = group_.ask_for_life();
    auto const ignored = co_await std::move(asking);  // any answer will do
  }
}

void heartbeat::stop() {
  stopped_ = true;
  timer_.cancel();
}

}  // namespace petstore::storage::postgres
