// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A shop refers to its store, so the store must be somebody's: not one that is gone at the end of the line.
// says: no matching function
#include <boost/asio/io_context.hpp>
#include <petstore/quota/local.hpp>
#include <petstore/server/shop.hpp>
#include <petstore/storage/memory.hpp>

using namespace petstore;

void open(boost::asio::io_context& context, quota::local_quota& quotas) {
#ifdef MISUSE
  server::shop shop({context.get_executor()}, storage::make_memory_store(environment::production), quotas);
#else
  auto const store = storage::make_memory_store(environment::production);
  server::shop shop({context.get_executor()}, *store, quotas);
#endif
}
