// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "storage/backends.hpp"

#include "petstore/storage/lmdb.hpp"
#include "petstore/storage/memory.hpp"
#ifdef PETSTORE_HAS_POSTGRES
#include "petstore/storage/postgres.hpp"
#include "support/postgres_server.hpp"
#include "support/time_limit.hpp"
#endif

namespace on {

memory::memory() : store(petstore::storage::make_memory_store(petstore::environment::production)) {}

lmdb::lmdb()
    : store(petstore::storage::open_lmdb_store({.directory = directory.path(),
                                                .environment = petstore::environment::production,
                                                .serve = true,
                                                .map_bytes_max = std::size_t{64} << 20,
                                                .write_queue_max = 64,
                                                .report = {}})) {}

#ifdef PETSTORE_HAS_POSTGRES
std::string postgres::find_missing() {
  return petstore::tests::postgres_server::find_missing();
}

postgres::postgres()
    : store(petstore::storage::open_postgres_store({.uri = petstore::tests::postgres_server::shared().create_database(),
                                                    .environment = petstore::environment::production,
                                                    .silence_limit = petstore::tests::time_limit})) {}
#endif

}  // namespace on
