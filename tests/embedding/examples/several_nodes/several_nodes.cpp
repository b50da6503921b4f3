// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// One of several nodes that share a shop in PostgreSQL and quotas in Redis, until it is closing time.
#include "several_nodes.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "petstore/quota/redis.hpp"
#include "petstore/storage/postgres.hpp"

namespace examples {

using namespace petstore;

namespace {

asio::awaitable<void> keep_open(server::application& app, ports::store& store,
                                std::vector<asio::ip::tcp::acceptor> acceptors, asio::steady_timer& closing_time,
                                opened_function opened) {
  constexpr auto as_result = asio::as_tuple(asio::use_awaitable);
  auto const [failed] = co_await app.async_start(as_result);
  if (!failed) {
    auto const where = acceptors.front().local_endpoint();
    app.listen(std::move(acceptors));
    opened(where);
    co_await closing_time.async_wait(as_result);
    co_await app.async_drain();  // accepted requests are answered, and their writes are on disk
  }
  store.leave_executors();  // until this call, a store on a server keeps the executors running
}

}  // namespace

void serve_as_one_of_several(std::string const& postgres_uri, std::string const& redis_address,
                             std::chrono::milliseconds redis_deadline, asio::io_context& context,
                             asio::steady_timer& closing_time, opened_function opened) {
  // Redis has a thread of its own, because an executor may be busy for longer than the deadline of a call.
  asio::thread_pool asking_redis{1};
  storage::postgres_options data;
  data.uri = postgres_uri;
  data.environment = environment::production;
  data.executors = {context.get_executor()};  // the application's: results of the store are delivered there
  quota::redis_options counts;
  counts.address = redis_address;
  counts.environment = "production";
  counts.executor = asking_redis.get_executor();
  counts.deadline = redis_deadline;  // a request waits at most this long; then `on_failure` decides
  auto acceptors = server::open_acceptors({asio::ip::address_v4::loopback(), 0}, {context.get_executor()});
  std::shared_ptr<ports::store> const store = storage::open_postgres_store(data);
  std::shared_ptr<quota::redis_quota> const quotas = quota::open_redis_quota(counts);
  server::application app({context.get_executor()}, store, quotas);

  auto keeping = keep_open(app, *store, std::move(acceptors), closing_time, std::move(opened));
  asio::co_spawn(context, std::move(keeping), asio::detached);
  context.run();    // until the application is drained and the store has left the executor
  quotas->close();  // gives unused tokens back: the pool's thread does that while this one waits
  asking_redis.stop();
  asking_redis.join();
}

}  // namespace examples
