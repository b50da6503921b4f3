// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "store/open_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "config/redact.hpp"
#include "config/values.hpp"
#include "petstore/storage/lmdb.hpp"
#include "petstore/storage/memory.hpp"
#include "store/postgres_store.hpp"

namespace petstore::program {
namespace {

config_error store_fault(loaded_settings const& loaded, std::string_view what) {
  return config_error({fmt::format("store: {} (from {})", what, loaded.source_of("store"))});
}

store_address const& store_of(loaded_settings const& loaded) {
  if (!loaded.values.store) {
    throw config_error(
        {"store: not set; give --store with lmdb:DIRECTORY or postgres://…, PETSTORE_STORE or `store` in "
         "the file"});
  }
  return *loaded.values.store;
}

bool is_postgres(loaded_settings const& loaded) {
  return store_of(loaded).kind == store_address::kind::postgres;
}

/// For tools, which are not the server that has it.
void refuse_memory(loaded_settings const& loaded) {
  if (store_of(loaded).kind != store_address::kind::memory) return;
  throw store_fault(loaded, "`memory:` lives within one server; this command needs lmdb:DIRECTORY or postgres://…");
}

std::unique_ptr<ports::store> open_lmdb(loaded_settings const& loaded, storage::lmdb_options options) {
  options.directory = store_of(loaded).directory;
  options.map_bytes_max = loaded.values.store_bytes_max;
  options.write_wait_max = loaded.values.write_wait_max;
  try {
    return storage::open_lmdb_store(std::move(options));
  } catch (storage::open_error const& failure) {
    throw store_fault(loaded, failure.what());
  }
}

}  // namespace

std::unique_ptr<ports::store> open_store_to_serve(loaded_settings const& loaded,
                                                  std::vector<boost::asio::any_io_executor> executors,
                                                  store_report report) {
  auto const environment = loaded.values.service.environment;
  if (is_postgres(loaded)) return open_postgres_to_serve(loaded, std::move(executors), std::move(report));
  if (store_of(loaded).kind == store_address::kind::memory) return storage::make_memory_store(environment);
  storage::lmdb_options options;
  options.environment = environment;
  options.serve = true;
  options.report = std::move(report);
  return open_lmdb(loaded, std::move(options));
}

std::unique_ptr<ports::store> open_store_to_fill(loaded_settings const& loaded, store_report report) {
  refuse_memory(loaded);
  if (is_postgres(loaded)) return open_postgres_to_fill(loaded, std::move(report));
  storage::lmdb_options options;
  bool const named = loaded.source_of("environment") != "default";
  (named ? options.environment : options.environment_if_new) = loaded.values.service.environment;
  options.serve = false;
  options.report = std::move(report);
  return open_lmdb(loaded, std::move(options));
}

std::filesystem::path directory_of_store(loaded_settings const& loaded) {
  auto const& store = store_of(loaded);
  if (store.kind == store_address::kind::lmdb) return store.directory;
  throw store_fault(loaded, "this command works on files and needs lmdb:DIRECTORY; PostgreSQL has tools of its own");
}

loaded_settings with_store(loaded_settings loaded, std::string_view uri, std::string_view flag) {
  auto const row = std::ranges::find(all_settings(), "store", &setting::name);
  auto const shown = std::ranges::find(loaded.shown, "store", &shown_setting::name);
  shown->value = redact_secrets(uri);
  shown->source = flag;
  try {
    row->assign(loaded.values, uri);
  } catch (value_error const& wrong) {
    throw config_error({fmt::format("store: `{}` {} (from {})", shown->value, wrong.what(), flag)});
  }
  return loaded;
}

std::unique_ptr<ports::store> open_existing_store(loaded_settings const& loaded, store_report report) {
  refuse_memory(loaded);
  if (is_postgres(loaded)) return open_existing_postgres(loaded, std::move(report));
  storage::lmdb_options options;
  options.serve = false;
  options.report = std::move(report);
  return open_lmdb(loaded, std::move(options));
}

}  // namespace petstore::program
