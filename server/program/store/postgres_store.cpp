// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "store/postgres_store.hpp"

#include <fmt/format.h>

#include <utility>

#include "petstore/storage/postgres.hpp"
#include "store/backends.hpp"

namespace petstore::program {
std::unique_ptr<ports::store> open_postgres(store_opening opening) {
  auto const& values = opening.loaded.values;
  storage::postgres_options options;
  opening.set_environment(options);
  // A tool must not change the schema of older nodes: they could not start again.
  options.migrate = opening.purpose == store_purpose::serve;
  options.uri = values.store->uri;
  options.connections_per_thread = static_cast<unsigned>(values.store_connections);
  options.executors.assign(opening.executors.begin(), opening.executors.end());
  options.report = std::move(opening.report);
  return with_store_faults(opening.loaded, [&] { return storage::open_postgres_store(std::move(options)); });
}

void validate_postgres_address(loaded_settings const& loaded) {
  with_store_faults(loaded, [&] { storage::validate_postgres_uri(loaded.values.store.value().uri); });
}

void migrate_command(loaded_settings const& loaded, streams out) {
  if (!loaded.values.store || loaded.values.store->kind != store_kind::postgres) {
    throw usage_error("migrate: only a postgres:// store has a schema to migrate; --store names it");
  }
  auto const versions = with_store_faults(loaded, [&] { return storage::migrate_postgres(loaded.values.store->uri); });
  if (versions.before == versions.now) {
    out.out << fmt::format("the schema is up to date: version {}\n", versions.now);
  } else {
    out.out << fmt::format("the schema was of version {}, and is of version {} now\n", versions.before, versions.now);
  }
}

}  // namespace petstore::program
