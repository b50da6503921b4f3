// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "store/open_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include "config/redact.hpp"
#include "config/values.hpp"
#include "petstore/storage/lmdb_maintenance.hpp"
#include "store/backends.hpp"

namespace petstore::program {
namespace {

store_address const& store_of(loaded_settings const& loaded) {
  if (!loaded.values.store) {
    throw config_error(
        {"store: not set; give --store with lmdb:DIRECTORY or postgres://…, PETSTORE_STORE or `store` in "
         "the file"});
  }
  return *loaded.values.store;
}

store_backend const& backend_of(loaded_settings const& loaded) {
  return *std::ranges::find(store_backends, store_of(loaded).kind, &store_backend::kind);
}

/// Opens a store for a tool. Another process may have it open.
std::unique_ptr<ports::store> open_beside_server(loaded_settings const& loaded, store_purpose purpose,
                                                 ports::report_function report) {
  if (store_of(loaded).traits().is_gone_with_server)
    throw store_fault(loaded, "`memory:` lives within one server; this command needs lmdb:DIRECTORY or postgres://…");
  return backend_of(loaded).open({loaded, purpose, {}, std::move(report)});
}

}  // namespace

std::unique_ptr<ports::store> open_store_to_serve(loaded_settings const& loaded,
                                                  std::vector<boost::asio::any_io_executor> executors,
                                                  ports::report_function report) {
  return backend_of(loaded).open({loaded, store_purpose::serve, std::move(executors), std::move(report)});
}

std::unique_ptr<ports::store> open_store_to_fill(loaded_settings const& loaded, ports::report_function report) {
  return open_beside_server(loaded, store_purpose::fill, std::move(report));
}

std::unique_ptr<ports::store> open_existing_store(loaded_settings const& loaded, ports::report_function report) {
  return open_beside_server(loaded, store_purpose::look, std::move(report));
}

void validate_store(loaded_settings const& loaded) {
  if (auto const validate = backend_of(loaded).validate) validate(loaded);
}

bool has_no_store_yet(loaded_settings const& loaded) {
  std::error_code ignored;
  auto const& store = loaded.values.store;
  return store && store->traits().has_directory && !std::filesystem::exists(store->directory / "data.mdb", ignored);
}

bool is_in_use(loaded_settings const& loaded) {
  auto const& store = store_of(loaded);
  return store.traits().has_directory && storage::is_lmdb_store_in_use(store.directory);
}

std::filesystem::path directory_of_store(loaded_settings const& loaded) {
  auto const& store = store_of(loaded);
  if (store.traits().has_directory) return store.directory;
  throw store_fault(loaded, "this command works on files and needs lmdb:DIRECTORY; PostgreSQL has tools of its own");
}

loaded_settings with_store(loaded_settings loaded, std::string_view uri, std::string_view flag) {
  auto const row = std::ranges::find(all_settings(), "store", &setting::name);
  auto const shown = std::ranges::find(loaded.shown, "store", &shown_setting::name);
  shown->value = redact_address(uri);
  shown->source = flag;
  try {
    row->assign(loaded.values, uri);
  } catch (value_error const& wrong) {
    throw config_error({fmt::format("store: `{}` {} (from {})", shown->value, wrong.what(), flag)});
  }
  return loaded;
}

}  // namespace petstore::program
