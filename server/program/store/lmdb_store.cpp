// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <utility>

#include "petstore/storage/lmdb.hpp"
#include "store/backends.hpp"

namespace petstore::program {

std::unique_ptr<ports::store> open_lmdb(store_opening opening) {
  auto const& values = opening.loaded.values;
  storage::lmdb_options options;
  opening.set_environment(options);
  options.serve = opening.purpose == store_purpose::serve;
  options.directory = values.store->directory;
  options.map_bytes_max = values.store_bytes_max;
  options.write_wait_max = values.write_wait_max;
  options.report = std::move(opening.report);
  return with_store_faults(opening.loaded, [&] { return storage::open_lmdb_store(std::move(options)); });
}

void validate_lmdb(loaded_settings const& loaded) {
  storage::lmdb_options options;
  options.environment = loaded.values.service.environment;
  options.directory = loaded.values.store->directory;
  with_store_faults(loaded, [&] { storage::validate_lmdb_store(options); });
}

}  // namespace petstore::program
