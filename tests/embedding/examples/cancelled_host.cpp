// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The whole service in a coroutine that runs until it is cancelled, and then finishes its requests.
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "examples.hpp"
#include "petstore/quota/local_quota.hpp"
#include "petstore/storage/memory.hpp"

namespace examples {

using namespace petstore;

asio::awaitable<bool> serve_until_cancelled(asio::ip::tcp::endpoint where, opened_function opened) {
  auto const executor = co_await asio::this_coro::executor;
  auto acceptors = server::open_acceptors(where, {executor});
  where = acceptors.front().local_endpoint();
  server::application app({executor}, storage::make_memory_store(environment::production), quota::make_local_quota({}));
  co_await app.async_start();
  app.listen(std::move(acceptors));
  opened(where);

  asio::steady_timer cancelled(executor, asio::steady_timer::time_point::max());
  constexpr auto as_result = asio::as_tuple(asio::use_awaitable);
  co_await cancelled.async_wait(as_result);

  // Asio lets a cancelled coroutine await nothing more. Only a new signal counts from here on: it shortens the drain.
  co_await asio::this_coro::reset_cancellation_state(asio::enable_terminal_cancellation());
  co_return co_await app.async_drain({.delay = {}, .timeout = std::chrono::seconds{30}});
}

}  // namespace examples
