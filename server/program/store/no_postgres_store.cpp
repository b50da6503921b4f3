// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "store/backends.hpp"
#include "store/postgres_store.hpp"

namespace petstore::program {
namespace {

config_error not_built(loaded_settings const& loaded) {
  return store_fault(loaded, "this program was built without PostgreSQL (PETSTORE_BUILD_POSTGRES)");
}

}  // namespace

std::unique_ptr<ports::store> open_postgres(store_opening opening) {
  throw not_built(opening.loaded);
}

void validate_postgres_address(loaded_settings const& loaded) {
  throw not_built(loaded);
}

void migrate_command(loaded_settings const& loaded, streams) {
  throw not_built(loaded);
}

}  // namespace petstore::program
