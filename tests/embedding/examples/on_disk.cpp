// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The whole service of one node, until it is closing time. Animals, keys and quotas are stored on disk.
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "examples.hpp"
#include "petstore/quota/local.hpp"
#include "petstore/storage/lmdb.hpp"

namespace examples {

using namespace petstore;

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

bool serve_from_disk(std::filesystem::path const& directory, asio::io_context& context,
                     asio::steady_timer& closing_time, opened_function opened) {
  storage::lmdb_options data;
  data.directory = directory;
  data.environment = environment::production;
  quota::local_options counts;
  counts.directory = directory / "quota";
  auto acceptors = server::open_acceptors({asio::ip::address_v4::loopback(), 0}, {context.get_executor()});
  std::shared_ptr<ports::store> const store = storage::open_lmdb_store(data);
  std::shared_ptr<quota::local_quota> const quotas = quota::open_local_quota(counts);
  server::application app({context.get_executor()}, store, quotas);

  auto keeping = keep_open(app, *store, std::move(acceptors), closing_time, std::move(opened));
  asio::co_spawn(context, std::move(keeping), asio::detached);
  context.run();           // until the application is drained and has no more work
  return quotas->close();  // writes the last charges; false if that fails
}

}  // namespace examples
