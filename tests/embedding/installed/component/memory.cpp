// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A store in memory.
#include <petstore/storage/memory.hpp>

int main() {
  auto const store = petstore::storage::make_memory_store(petstore::environment::staging);
  return store->environment() == petstore::environment::staging ? 0 : 1;
}
