// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The whole service in a program with its own io_context, until the program's closing time.
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "examples.hpp"
#include "petstore/quota/local_quota.hpp"
#include "petstore/storage/memory.hpp"

namespace examples {

using namespace petstore;

asio::awaitable<void> run_application(asio::ip::tcp::endpoint where, asio::steady_timer& closing_time,
                                      opened_function opened) {
  auto const executor = co_await asio::this_coro::executor;
  auto acceptors = server::open_acceptors(where, {executor});
  where = acceptors.front().local_endpoint();
  server::application app({executor}, storage::make_memory_store(environment::production), quota::make_local_quota({}));

  co_await app.async_start();  // throws boost::system::system_error
  app.listen(std::move(acceptors));
  opened(where);

  constexpr auto as_result = asio::as_tuple(asio::use_awaitable);
  co_await closing_time.async_wait(as_result);
  co_await app.async_drain();
}

}  // namespace examples
