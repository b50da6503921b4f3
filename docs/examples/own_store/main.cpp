// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The service over a store of the program's own. It passes everything on to the store on disk, but takes no writes
// while the shop takes stock. SIGUSR1 begins and ends that. A store over another database implements the same functions
// of `ports::store`. `service_with_coroutines` makes the directory, and a key.
//
// Usage: own_store PORT DIRECTORY      PORT 0 takes a free one.
#include <atomic>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "petstore/ports/forwarding_store.hpp"
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

template <class T>
using later = asio::awaitable<petstore::result<T>>;

/// Refuses writes while it is closed. Any thread, like every store.
class stocktaking_store final : public ports::forwarding_store {
 public:
  using forwarding_store::forwarding_store;

  /// Returns whether it is closed now.
  bool toggle() { return closed_ = !closed_; }

  later<ports::stored> create_pet(petstore::new_pet p, bool known, std::optional<ports::idempotency> i,
                                  petstore::unix_ms now) override {
    return closed_ ? sorry<ports::stored>() : forwarding_store::create_pet(std::move(p), known, std::move(i), now);
  }
  later<ports::stored> update_pet(std::int64_t id, petstore::pet_patch p, bool known,
                                  petstore::etag_condition c) override {
    return closed_ ? sorry<ports::stored>() : forwarding_store::update_pet(id, std::move(p), known, std::move(c));
  }
  later<void> delete_pet(std::int64_t id, petstore::etag_condition c) override {
    return closed_ ? sorry<void>() : forwarding_store::delete_pet(id, std::move(c));
  }
  later<ports::stored> create_category(petstore::new_category c) override {
    return closed_ ? sorry<ports::stored>() : forwarding_store::create_category(std::move(c));
  }
  later<ports::stored> create_order(petstore::new_order o, std::optional<ports::idempotency> i,
                                    petstore::unix_ms now) override {
    return closed_ ? sorry<ports::stored>() : forwarding_store::create_order(std::move(o), std::move(i), now);
  }
  later<ports::stored> update_order(std::int64_t id, petstore::order_patch p, petstore::etag_condition c,
                                    petstore::unix_ms now) override {
    return closed_ ? sorry<ports::stored>() : forwarding_store::update_order(id, std::move(p), std::move(c), now);
  }

 private:
  template <class T>
  static later<T> sorry() {
    co_return petstore::error{petstore::errc::unavailable, "The shop takes stock.", {}};  // a 503
  }

  std::atomic<bool> closed_{false};
};

/// Serves until a signal comes. False if requests were cut off at the end.
asio::awaitable<bool> serve(tcp::endpoint where, std::shared_ptr<stocktaking_store> store,
                            std::shared_ptr<ports::quota_source> quotas) {
  auto const executor = co_await asio::this_coro::executor;
  asio::signal_set signals{executor, SIGTERM, SIGINT, SIGUSR1};
  auto acceptors = server::open_acceptors(where, {executor});
  where = acceptors.front().local_endpoint();
  server::application app({executor}, store, quotas);
  co_await app.async_start();
  app.listen(std::move(acceptors));
  std::cout << "listening on " << where.port() << std::endl;

  for (;;) {
    auto const [failed, signal] = co_await signals.async_wait(as_result);
    if (failed || signal != SIGUSR1) break;
    std::cout << (store->toggle() ? "taking stock" : "open again") << std::endl;
  }
  co_return co_await app.async_drain();
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
  if (argc != 3) throw std::invalid_argument{"usage: own_store PORT DIRECTORY"};
  std::filesystem::path const directory = argv[2];
  asio::io_context context{1};  // outlives the store, which answers writes on it
  storage::lmdb_options data;
  data.directory = directory;
  data.environment = petstore::environment::production;
  quota::local_options counts;
  counts.directory = directory / "quota";
  auto const store = std::make_shared<stocktaking_store>(storage::open_lmdb_store(data));
  std::shared_ptr<quota::local_quota> const quotas = quota::open_local_quota(counts);

  tcp::endpoint const where{asio::ip::address_v4::loopback(), port_of(argv[1])};
  bool is_whole = false;
  std::exception_ptr failed;
  auto serving = serve(where, store, quotas);
  asio::co_spawn(context, std::move(serving), [&](std::exception_ptr thrown, bool whole) {
    failed = thrown;
    is_whole = whole;
  });
  context.run();
  if (failed) std::rethrow_exception(failed);
  if (!quotas->close()) throw std::runtime_error{"the last used tokens are not on disk"};
  return is_whole ? 0 : 1;
} catch (std::exception const& failed) {
  std::cerr << failed.what() << '\n';
  return 1;
}
