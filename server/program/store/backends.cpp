// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "store/backends.hpp"

#include <fmt/format.h>

#include "petstore/storage/memory.hpp"

namespace petstore::program {

config_error store_fault(loaded_settings const& loaded, std::string_view what) {
  return config_error({fmt::format("store: {} (from {})", what, loaded.source_of("store"))});
}

std::unique_ptr<ports::store> open_memory(store_opening opening) {
  return storage::make_memory_store(opening.loaded.values.service.environment);
}

}  // namespace petstore::program
