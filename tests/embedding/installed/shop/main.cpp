// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A host that serves the shop on its own io_context with its own store and quotas, and sends requests from there.
#include <petstore/quota/local_quota.hpp>
#include <petstore/quota/redis.hpp>
#include <petstore/server/key_watcher.hpp>
#include <petstore/server/listener.hpp>
#include <petstore/server/service.hpp>
#include <petstore/storage/lmdb.hpp>
#include <petstore/storage/memory.hpp>
#include <petstore/storage/postgres.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/version.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "visitor.hpp"

namespace asio = boost::asio;
using namespace petstore;

namespace {

void expect(bool is_so, char const* what) {
  if (is_so) return;
  std::fprintf(stderr, "Not so: %s\n", what);
  std::exit(1);
}

/// Calls every backend, to show that it is linked. Each finds a wrong address without a server.
void ask_the_backends(asio::io_context& context) {
  expect(storage::describe_postgres("postgres://shop:secret@db.example/pets").find("secret") == std::string::npos,
         "a password is not told");
  try {
    storage::lmdb_options nowhere;
    nowhere.directory = "/proc/no such place";
    (void)storage::open_lmdb_store(nowhere);
    expect(false, "a store needs a directory");
  } catch (storage::open_error const&) {
  }
  try {
    quota::redis_options wrong;
    wrong.address = "gopher://x";
    wrong.executor = context.get_executor();
    (void)quota::open_redis_quota(wrong);
    expect(false, "an address of Redis begins with redis");
  } catch (std::runtime_error const&) {
  }
}

}  // namespace

int main() {
  asio::io_context context{1};
  ask_the_backends(context);

  auto const store = storage::make_memory_store(environment::production);
  auto const quotas = quota::make_local_quota({});
  key_registry keys;
  server::metrics metrics{1};
  server::readiness const ready;
  server::service_options const options;
  server::log_function const log = [](auto...) {};
  server::service service{options,
                          {.store = *store,
                           .quotas = *quotas,
                           .keys = keys,
                           .counters = metrics.shard(0),
                           .state = ready,
                           .clock = limits::now,
                           .log = log}};

  server::connection_budget budget{10, 10, {}};
  auto acceptors = server::open_acceptors({asio::ip::address_v4::loopback(), 0}, {context.get_executor()});
  server::listener listener{std::move(acceptors.front()), service, {}, budget, log, {}};
  listener.start();

  auto const visits = [&]() -> asio::awaitable<void> {
    auto const at = listener.local_endpoint();
    for (int depth = 0; depth < 20; ++depth) {
      std::string const document = co_await visit(at, "/v1/openapi.json", depth);
      expect(document.starts_with("HTTP/1.1 200 "), "the document is there");
      std::string const anonymous = co_await visit(at, "/v1/pets", depth);
      expect(anonymous.starts_with("HTTP/1.1 401 "), "a stranger needs a key");
      expect(anonymous.find("RateLimit-Policy: \"minute\";q=60;w=60\r\n") != std::string::npos, "and is counted");
    }
    co_await listener.async_stop(std::chrono::seconds{5});
  };
  asio::co_spawn(context, visits(), [](std::exception_ptr failed) {
    if (failed) std::rethrow_exception(failed);
  });
  context.run();
  expect(quotas->close(), "what was used is kept");
#if defined(BOOST_ASIO_NO_DEPRECATED)
  int const by_the_hook = 0;
#else
  int const by_the_hook = BOOST_VERSION < 108700 ? 1 : 0;  // Asio of Boost 1.87 removed the hook
#endif
  expect(allocations_by_the_handler(context) == by_the_hook, "a host's allocation hook is used");
}
