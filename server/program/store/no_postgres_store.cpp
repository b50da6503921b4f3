// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <fmt/format.h>

#include "store/postgres_store.hpp"

namespace petstore::program {
namespace {

config_error not_built(loaded_settings const& loaded) {
  return config_error(
      {fmt::format("store: this program was built without PostgreSQL (PETSTORE_BUILD_POSTGRES) (from {})",
                   loaded.source_of("store"))});
}

}  // namespace

std::unique_ptr<ports::store> open_postgres_to_serve(loaded_settings const& loaded,
                                                     std::vector<boost::asio::any_io_executor>, store_report) {
  throw not_built(loaded);
}

std::unique_ptr<ports::store> open_postgres_to_fill(loaded_settings const& loaded, store_report) {
  throw not_built(loaded);
}

std::unique_ptr<ports::store> open_existing_postgres(loaded_settings const& loaded, store_report) {
  throw not_built(loaded);
}

void judge_postgres_address(loaded_settings const& loaded) {
  throw not_built(loaded);
}

void migrate_command(loaded_settings const& loaded, streams) {
  throw not_built(loaded);
}

}  // namespace petstore::program
