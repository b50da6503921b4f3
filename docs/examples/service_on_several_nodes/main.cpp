// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The whole service as one of several nodes, which share animals and keys in PostgreSQL, and quotas in Redis.
//
// Usage: service_on_several_nodes PORT POSTGRES REDIS DEADLINE [CUSTOMER]      PORT 0 takes a free one. A request waits
// DEADLINE milliseconds for Redis at most. Makes a key for the customer.
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "petstore/api_key.hpp"
#include "petstore/quota/redis.hpp"
#include "petstore/server/application.hpp"
#include "petstore/storage/postgres.hpp"

namespace asio = boost::asio;
namespace ports = petstore::ports;
namespace quota = petstore::quota;
namespace server = petstore::server;
namespace storage = petstore::storage;
using asio::ip::tcp;

namespace {

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

/// Makes a key of the plan `free`, which every node knows within a second.
asio::awaitable<void> issue_key(ports::store& store, std::string customer) {
  auto const now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  std::string const key = petstore::generate_api_key(store.environment());
  petstore::create_key wanted;
  set_key(wanted, key);
  wanted.name = customer;
  wanted.plan = "free";
  petstore::key_command change{std::move(wanted)};
  auto const made = co_await store.change_keys(std::move(change), now, "sign-up page");
  if (!made) throw std::runtime_error{"the key cannot be made: " + made.error().message};
  std::cout << "key " << key << std::endl;
}

/// Serves until a signal comes. False if requests were cut off at the end.
asio::awaitable<bool> serve(tcp::endpoint where, std::string customer, std::shared_ptr<ports::store> store,
                            std::shared_ptr<ports::quota_source> quotas) {
  auto const executor = co_await asio::this_coro::executor;
  asio::signal_set signals{executor, SIGTERM, SIGINT};
  if (!customer.empty()) {
    auto issuing = issue_key(*store, customer);
    co_await std::move(issuing);
  }
  auto acceptors = server::open_acceptors(where, {executor});
  where = acceptors.front().local_endpoint();
  server::application app({executor}, store, quotas);
  co_await app.async_start();
  app.listen(std::move(acceptors));
  std::cout << "listening on " << where.port() << std::endl;

  co_await signals.async_wait(as_result);
  co_return co_await app.async_drain();  // accepted requests are answered, and their writes are committed
}

void report(std::string_view event, std::string_view detail) {
  std::clog << std::string{event} + ' ' + std::string{detail} + '\n';
}

/// Throws std::invalid_argument for anything but a number from 0 to 65535.
std::uint16_t port_of(std::string_view text) {
  std::uint16_t port = 0;
  auto const [end, failed] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (failed != std::errc{} || end != text.data() + text.size()) throw std::invalid_argument{"PORT is from 0 to 65535"};
  return port;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 5 || argc > 6)
    throw std::invalid_argument{"usage: service_on_several_nodes PORT POSTGRES REDIS DEADLINE [CUSTOMER]"};
  asio::io_context context{1};
  // Redis has a thread of its own, because an executor may be busy for longer than the deadline of a call.
  asio::thread_pool asking_redis{1};
  storage::postgres_options data;
  data.uri = argv[2];
  data.environment = petstore::environment::production;
  data.executors = {context.get_executor()};  // the application's: results of the store are delivered there
  quota::redis_options counts;
  counts.address = argv[3];
  counts.environment = "production";
  counts.executor = asio::make_strand(asking_redis);
  counts.deadline = std::chrono::milliseconds{std::stoul(argv[4])};  // then `on_failure` decides
  counts.report = report;
  std::shared_ptr<ports::store> const store = storage::open_postgres_store(data);
  std::shared_ptr<quota::redis_quota> const quotas = quota::open_redis_quota(counts);

  tcp::endpoint const where{asio::ip::address_v4::loopback(), port_of(argv[1])};
  bool is_whole = false;
  std::exception_ptr failed;
  auto serving = serve(where, argc == 6 ? argv[5] : "", store, quotas);
  asio::co_spawn(context, std::move(serving), [&](std::exception_ptr thrown, bool whole) {
    failed = thrown;
    is_whole = whole;
    store->leave_executors();  // until this call, a store on a server keeps the executors running
  });
  context.run();    // until the application is drained and the store has left the executor
  quotas->close();  // gives unused tokens back: the pool's thread does that while this one waits
  asking_redis.stop();
  asking_redis.join();
  if (failed) std::rethrow_exception(failed);
  return is_whole ? 0 : 1;
} catch (std::exception const& failed) {
  std::cerr << failed.what() << '\n';
  return 1;
}
