// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <memory>

#include "petstore/export.hpp"
#include "petstore/ports/store.hpp"

namespace petstore::storage {

/// The store as a model: plain maps under one mutex, nothing on disk. It is for tests, examples, and hosts that want no
/// files; the contract suite compares every other store with it.
[[nodiscard]] PETSTORE_EXPORT std::unique_ptr<ports::store> make_memory_store(environment);

}  // namespace petstore::storage
