// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "storage/backends.hpp"

#include "petstore/storage/memory.hpp"

namespace on {

memory::memory() : shop(petstore::storage::make_memory_store(petstore::environment::production)) {}

}  // namespace on
