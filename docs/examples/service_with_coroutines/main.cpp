// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The whole service in a program of coroutines. Animals, keys and quotas are on the disk of this node.
//
// Usage: service_with_coroutines PORT DIRECTORY [CUSTOMER]      PORT 0 takes a free one. Makes a key for the customer.
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "petstore/api_key.hpp"
#include "petstore/key_record.hpp"
#include "petstore/quota/local.hpp"
#include "petstore/server/application.hpp"
#include "petstore/storage/lmdb.hpp"

namespace asio = boost::asio;
namespace ports = petstore::ports;
namespace quota = petstore::quota;
namespace server = petstore::server;
namespace storage = petstore::storage;
using asio::ip::tcp;

namespace {

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

/// Makes a key of the plan `free`. It is known only now: the store keeps its digest.
asio::awaitable<petstore::result<std::string>> issue_key(std::shared_ptr<ports::store> store, std::string customer) {
  std::string const key = petstore::generate_api_key(store->environment());
  petstore::create_key wanted;
  set_key(wanted, key);  // stores its digest: the store does not get the key itself
  wanted.name = customer;
  wanted.plan = "free";
  petstore::key_command change{std::move(wanted)};
  auto const now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  auto const made = co_await store->change_keys(std::move(change), now, "sign-up page");
  if (!made) co_return made.error();
  co_return key;
}

/// Serves until a signal comes. False if requests were cut off at the end.
asio::awaitable<bool> serve(tcp::endpoint where, std::shared_ptr<ports::store> store,
                            std::shared_ptr<ports::quota_source> quotas) {
  auto const executor = co_await asio::this_coro::executor;
  asio::signal_set signals{executor, SIGTERM, SIGINT};
  auto acceptors = server::open_acceptors(where, {executor});
  where = acceptors.front().local_endpoint();
  server::application app({executor}, store, quotas);

  co_await app.async_start();  // throws boost::system::system_error
  app.listen(std::move(acceptors));
  std::cout << "listening on " << where.port() << std::endl;

  co_await signals.async_wait(as_result);
  co_return co_await app.async_drain();  // accepted requests are answered, and their writes are on disk
}

asio::awaitable<bool> run(tcp::endpoint where, std::string customer, std::shared_ptr<ports::store> store,
                          std::shared_ptr<ports::quota_source> quotas) {
  if (!customer.empty()) {
    auto issuing = issue_key(store, customer);
    auto const key = co_await std::move(issuing);
    if (!key) throw std::runtime_error{"the key cannot be made: " + key.error().message};
    std::cout << "key " << *key << std::endl;
  }
  auto serving = serve(where, store, quotas);
  co_return co_await std::move(serving);
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
  if (argc < 3 || argc > 4) throw std::invalid_argument{"usage: service_with_coroutines PORT DIRECTORY [CUSTOMER]"};
  std::filesystem::path const directory = argv[2];
  asio::io_context context{1};  // outlives the store, which answers writes on it
  storage::lmdb_options data;
  data.directory = directory;
  data.environment = petstore::environment::production;
  quota::local_options counts;
  counts.directory = directory / "quota";
  std::shared_ptr<ports::store> const store = storage::open_lmdb_store(data);
  std::shared_ptr<quota::local_quota> const quotas = quota::open_local_quota(counts);

  tcp::endpoint const where{asio::ip::address_v4::loopback(), port_of(argv[1])};
  bool is_whole = false;
  std::exception_ptr failed;
  auto running = run(where, argc == 4 ? argv[3] : "", store, quotas);
  asio::co_spawn(context, std::move(running), [&](std::exception_ptr thrown, bool whole) {
    failed = thrown;
    is_whole = whole;
  });
  context.run();  // until the application is drained and has no more work
  if (failed) std::rethrow_exception(failed);
  if (!quotas->close()) throw std::runtime_error{"the last used tokens are not on disk"};
  return is_whole ? 0 : 1;
} catch (std::exception const& failed) {
  std::cerr << failed.what() << '\n';
  return 1;
}
