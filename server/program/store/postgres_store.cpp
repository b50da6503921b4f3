// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "store/postgres_store.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "petstore/storage/postgres.hpp"

namespace petstore::program {
namespace {

/// Runs what opens a store; why it cannot becomes the setting's fault.
template <class Open>
auto with_store_faults(loaded_settings const& loaded, Open open) {
  try {
    return open();
  } catch (storage::open_error const& failure) {
    throw config_error({fmt::format("store: {} (from {})", failure.what(), loaded.source_of("store"))});
  }
}

std::unique_ptr<ports::store> open(loaded_settings const& loaded, storage::postgres_options options,
                                   store_report report) {
  options.uri = loaded.values.store.value().uri;
  options.connections_per_thread = static_cast<unsigned>(loaded.values.store_connections);
  options.report = std::move(report);
  return with_store_faults(loaded, [&] { return storage::open_postgres_store(std::move(options)); });
}

}  // namespace

std::unique_ptr<ports::store> open_postgres_to_serve(loaded_settings const& loaded,
                                                     std::vector<boost::asio::any_io_executor> executors,
                                                     store_report report) {
  storage::postgres_options options;
  options.environment = loaded.values.service.environment;
  options.executors = std::move(executors);
  return open(loaded, std::move(options), std::move(report));
}

std::unique_ptr<ports::store> open_postgres_to_fill(loaded_settings const& loaded, store_report report) {
  storage::postgres_options options;
  bool const named = loaded.source_of("environment") != "default";
  (named ? options.environment : options.environment_if_new) = loaded.values.service.environment;
  return open(loaded, std::move(options), std::move(report));
}

std::unique_ptr<ports::store> open_existing_postgres(loaded_settings const& loaded, store_report report) {
  storage::postgres_options options;
  options.migrate = false;  // the nodes that serve would be surprised
  return open(loaded, std::move(options), std::move(report));
}

void judge_postgres_address(loaded_settings const& loaded) {
  with_store_faults(loaded, [&] { storage::judge_postgres_uri(loaded.values.store.value().uri); });
}

void migrate_command(loaded_settings const& loaded, streams out) {
  if (!loaded.values.store || loaded.values.store->kind != store_address::kind::postgres) {
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
