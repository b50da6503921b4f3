// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// An executor of a store on PostgreSQL runs one function at a time; a thread pool runs several.
// says: pass a strand over it
#include <petstore/storage/postgres.hpp>

#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>

using namespace petstore;

void set_executors(storage::postgres_options& options, boost::asio::thread_pool& pool) {
#ifdef MISUSE
  options.executors = {pool.get_executor()};
#else
  options.executors = {boost::asio::make_strand(pool)};
#endif
}
