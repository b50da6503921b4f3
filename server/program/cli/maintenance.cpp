// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "cli/maintenance.hpp"

#include <fmt/format.h>

#include "config/redact.hpp"
#include "petstore/storage/lmdb.hpp"
#include "petstore/storage/lmdb_maintenance.hpp"

namespace petstore::program {
namespace {

/// Runs an operation. A store that cannot be opened is a usage error, unless that may pass; any other failure is a
/// command error.
template <class Operation>
auto run(Operation operation) {
  try {
    return operation();
  } catch (ports::unavailable_error const& failure) {
    throw command_error(failure.what());
  } catch (storage::open_error const& wrong) {
    throw usage_error(wrong.what());
  } catch (storage::maintenance_error const& failure) {
    throw command_error(failure.what());
  }
}

}  // namespace

exit_code check_command(std::filesystem::path const& store, streams out) {
  auto const found = run(
      [&] { return storage::check_lmdb_store(store, [&](std::string const& fault) { out.out << fault << '\n'; }); });
  if (found.faults == 0) {
    out.out << fmt::format("the store is sound: {} pages, {} records, {} index entries\n", found.pages, found.records,
                           found.index_entries);
    return exit_code::fine;
  }
  out.out << fmt::format("the store is damaged: {} faults in {} pages, {} records, {} index entries\n", found.faults,
                         found.pages, found.records, found.index_entries);
  return exit_code::failed;
}

void backup_command(std::filesystem::path const& store, std::filesystem::path const& output, streams out) {
  auto const found = run([&] { return storage::back_up_lmdb_store(store, output); });
  out.out << fmt::format("'{}' holds a copy of the store, checked: {} records\n", redact_secrets(output.string()),
                         found.records);
}

void restore_command(std::filesystem::path const& backup, std::filesystem::path const& store, streams out) {
  auto const found = run([&] { return storage::restore_lmdb_store(backup, store); });
  out.out << fmt::format("'{}' holds the store, checked: {} records\n", redact_secrets(store.string()), found.records);
}

}  // namespace petstore::program
