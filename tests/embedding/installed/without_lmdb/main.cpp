// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/asio/io_context.hpp>
#include <petstore/quota/local_quota.hpp>
#include <petstore/server/application.hpp>
#include <petstore/storage/memory.hpp>

int main() {
  using namespace petstore;
  boost::asio::io_context context{1};
  boost::system::error_code failed;
  server::application app({context.get_executor()}, storage::make_memory_store(environment::production),
                          quota::make_local_quota({}));
  app.async_start([&](boost::system::error_code e) {
    failed = e;
    app.async_drain({}, [](boost::system::error_code, bool) {});
  });
  context.run();
  return failed ? 1 : 0;
}
