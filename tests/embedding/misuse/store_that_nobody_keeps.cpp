// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// An application shares its store, so it does not accept a reference to a temporary store.
// says: no matching function
#include <boost/asio/io_context.hpp>
#include <petstore/quota/local.hpp>
#include <petstore/server/application.hpp>
#include <petstore/storage/memory.hpp>

using namespace petstore;

void open(boost::asio::io_context& context, std::shared_ptr<quota::local_quota> const& quotas) {
#ifdef MISUSE
  server::application app({context.get_executor()}, *storage::make_memory_store(environment::production), quotas);
#else
  server::application app({context.get_executor()}, storage::make_memory_store(environment::production), quotas);
#endif
}
