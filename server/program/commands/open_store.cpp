// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "commands/open_store.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "petstore/storage/lmdb.hpp"
#include "petstore/storage/memory.hpp"

namespace petstore::program {
namespace {

config_error store_fault(loaded_settings const& loaded, std::string_view what) {
  return config_error({fmt::format("store: {} (from {})", what, loaded.source_of("store"))});
}

store_address const& store_of(loaded_settings const& loaded) {
  if (!loaded.values.store) {
    throw config_error({"store: not set; give --store lmdb:DIRECTORY, PETSTORE_STORE or `store` in the file"});
  }
  return *loaded.values.store;
}

void require_directory(loaded_settings const& loaded) {
  if (store_of(loaded).kind == store_address::kind::lmdb) return;
  throw store_fault(loaded, "`memory:` lives within one server; this command needs lmdb:DIRECTORY");
}

std::unique_ptr<ports::store> open_lmdb(loaded_settings const& loaded, storage::lmdb_options options) {
  options.directory = store_of(loaded).directory;
  options.map_bytes_max = loaded.values.store_bytes_max;
  try {
    return storage::open_lmdb_store(std::move(options));
  } catch (storage::open_error const& failure) {
    throw store_fault(loaded, failure.what());
  }
}

}  // namespace

std::unique_ptr<ports::store> open_store_to_serve(loaded_settings const& loaded, store_report report) {
  auto const environment = loaded.values.service.environment;
  if (store_of(loaded).kind == store_address::kind::memory) return storage::make_memory_store(environment);
  storage::lmdb_options options;
  options.environment = environment;
  options.serve = true;
  options.report = std::move(report);
  return open_lmdb(loaded, std::move(options));
}

std::unique_ptr<ports::store> open_store_to_fill(loaded_settings const& loaded, store_report report) {
  require_directory(loaded);
  storage::lmdb_options options;
  bool const named = loaded.source_of("environment") != "default";
  (named ? options.environment : options.environment_if_new) = loaded.values.service.environment;
  options.serve = false;
  options.report = std::move(report);
  return open_lmdb(loaded, std::move(options));
}

std::unique_ptr<ports::store> open_existing_store(loaded_settings const& loaded, store_report report) {
  require_directory(loaded);
  storage::lmdb_options options;
  options.serve = false;
  options.report = std::move(report);
  return open_lmdb(loaded, std::move(options));
}

}  // namespace petstore::program
