// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The executor of quotas in Redis runs one function at a time; a thread pool runs several.
// says: pass a strand over it
#include <petstore/quota/redis.hpp>

#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>

using namespace petstore;

void set_executor(quota::redis_options& options, boost::asio::thread_pool& pool) {
#ifdef MISUSE
  options.executor = pool.get_executor();
#else
  options.executor = boost::asio::make_strand(pool);
#endif
}
