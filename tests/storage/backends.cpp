// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "storage/backends.hpp"

#include "petstore/storage/lmdb.hpp"
#include "petstore/storage/memory.hpp"

namespace on {

memory::memory() : shop(petstore::storage::make_memory_store(petstore::environment::production)) {}

lmdb::lmdb()
    : shop(petstore::storage::open_lmdb_store({.directory = directory.path(),
                                               .environment = petstore::environment::production,
                                               .serve = true,
                                               .map_bytes_max = std::size_t{64} << 20,
                                               .write_queue_max = 64,
                                               .report = {}})) {}

}  // namespace on
