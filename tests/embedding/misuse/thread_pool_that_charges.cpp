// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The executor of asynchronous charges runs one function at a time; a thread pool runs several.
// says: pass a strand over it
#include <petstore/ports/async_quota.hpp>

#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>

using namespace petstore;

ports::async_quota charge(boost::asio::thread_pool& pool, std::shared_ptr<ports::quota_source> const& source) {
#ifdef MISUSE
  return ports::async_quota{pool.get_executor(), source, {limits::per_minute(60)}};
#else
  return ports::async_quota{boost::asio::make_strand(pool), source, {limits::per_minute(60)}};
#endif
}
