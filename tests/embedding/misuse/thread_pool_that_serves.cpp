// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// An executor of an application runs one function at a time; a thread pool runs several.
// says: pass a strand over it
#include <petstore/server/application.hpp>

#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>

using namespace petstore;

void serve(boost::asio::thread_pool& pool, std::shared_ptr<ports::store> const& store,
           std::shared_ptr<ports::quota_source> const& quotas) {
#ifdef MISUSE
  server::application served({pool.get_executor()}, store, quotas);
#else
  server::application served({boost::asio::make_strand(pool)}, store, quotas);
#endif
}
