// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/ports/forwarding_store.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include "petstore/storage/memory.hpp"
#include "support/free_key.hpp"

namespace petstore::tests {

namespace asio = boost::asio;

BOOST_AUTO_TEST_SUITE(forwarding_store)

BOOST_AUTO_TEST_CASE(a_key_is_created_without_an_idempotency_key_as_in_any_store) {
  ports::forwarding_store store{storage::make_memory_store(environment::production)};
  asio::io_context context{1};
  auto made = asio::co_spawn(context, store.change_keys(free_key(1), unix_ms{}, "test"), asio::use_future);
  context.run();
  BOOST_TEST(made.get()->added.has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
