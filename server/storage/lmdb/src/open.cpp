// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "open.hpp"

#include <cerrno>
#include <string>
#include <system_error>

#include "create.hpp"
#include "page_check.hpp"
#include "read_only.hpp"
#include "upgrade.hpp"

namespace petstore::storage::lmdb {
namespace {

std::optional<environment> environment_of_new(lmdb_options const& options) {
  return options.environment ? options.environment : options.environment_if_new;
}

void check_format(lmdb_options const& options, std::uint64_t format) {
  if (format > format_version || format == 0)
    throw_refusal(options.directory, "its format is " + std::to_string(format) +
                                         ", written by a newer version of this program, which knows formats up to " +
                                         std::to_string(format_version));
}

/// Upgrades an older file. A tool does so only when no server is running, since that might be an older version.
void bring_up_to_date(database& d, lmdb_options const& options, std::uint64_t format) {
  if (format == format_version) return;
  check_format(options, format);
  file_descriptor lock;
  if (!options.serve) lock = lock_for_serving(options.directory);
  auto const now_in = upgrade(d);
  if (options.report)
    options.report("store_upgraded", "the store in '" + options.directory.string() + "' was upgraded from format " +
                                         std::to_string(format) + " to " + std::to_string(now_in));
}

environment check_environment(lmdb_options const& options, std::uint64_t stored) {
  auto const environment = static_cast<petstore::environment>(stored);
  if (to_string(environment).empty())
    throw_refusal(options.directory, "it does not say which environment it belongs to");
  if (options.environment && *options.environment != environment)
    throw_refusal(options.directory, "it belongs to the environment " + std::string{to_string(environment)} +
                                         ", not to " + std::string{to_string(*options.environment)});
  return environment;
}

environment open_tables(database& d, lmdb_options const& options) {
  auto found = read_only(d).look();
  if (found == contents::foreign) throw_refusal(options.directory, "its data.mdb was made by another program");
  if (found == contents::nothing) {
    auto const environment = environment_of_new(options);
    if (!environment) throw_refusal(options.directory, "there is no store in it");
    create_tables(d, *environment);
  }
  std::uint64_t format = 0;
  std::uint64_t stored_environment = 0;
  {
    read_only t(d);
    t.look();
    format = t.meta_number(meta::format);
    stored_environment = t.meta_number(meta::environment);
    t.commit();
  }
  auto const environment = check_environment(options, stored_environment);
  bring_up_to_date(d, options, format);
  read_only t(d);
  if (!t.open_every_table()) throw_refusal(options.directory, "a table is missing: the file is damaged");
  t.commit();
  return environment;
}

/// LMDB divides by a number that it reads there.
void check_head(lmdb_options const& options) {
  auto const fault = find_head_fault(open_data_file(options.directory));
  if (!fault.empty())
    throw_refusal(options.directory, "its data.mdb is not an LMDB file, or its head is damaged: " + fault);
}

std::string describe(mdb_fault const& f) {
  switch (f.code()) {
    case MDB_INVALID: return "its data.mdb is not an LMDB file, or its head is damaged";
    case MDB_VERSION_MISMATCH: return "its data.mdb or lock.mdb was made by another version of LMDB";
    case EAGAIN: return "a process with the same id, in another container, has it open";  // LMDB locks the id
    default: return f.what();
  }
}

[[noreturn]] void throw_as_refusal(std::filesystem::path const& directory, mdb_fault const& f) {
  auto const why = refusal(directory, describe(f));
  bool const is_of_lmdb = f.code() < 0;  // its own codes say what is in the files; the others are errno's
  if (is_of_lmdb) throw open_error(why);
  ports::refuse_to_open(why, {f.code(), std::generic_category()});
}

}  // namespace

opened open(lmdb_options const& options) {
  auto const environment_if_new = environment_of_new(options);
  auto const file = prepare_directory(options.directory, environment_if_new ? on_absence::create : on_absence::refuse);
  if (file == store_file::absent && !environment_if_new) throw_refusal(options.directory, "there is no store in it");
  bool const keeps_size = !options.serve && file == store_file::present;
  opened store;
  if (options.serve) store.serving = lock_for_serving(options.directory);
  if (file == store_file::present) check_head(options);
  try {
    if (file == store_file::absent) create_store(options, *environment_if_new);
    // At every start, since the process that created the store may have ended before it did this.
    sync_names(options.directory);
    store.database =
        std::make_unique<database>(options.directory, keeps_size ? std::nullopt : std::optional{options.map_bytes_max});
    store.environment = open_tables(*store.database, options);
  } catch (mdb_fault const& f) {
    throw_as_refusal(options.directory, f);
  } catch (damaged_record const& f) {
    throw_refusal(options.directory, f.what());
  }
  return store;
}

void validate(lmdb_options const& options) {
  std::error_code failure;
  if (!std::filesystem::exists(options.directory, failure)) return check_creation(options.directory);
  if (prepare_directory(options.directory, on_absence::create) == store_file::absent)
    return require_no_restore(options.directory, serving_lock::of_others);
  check_head(options);
  // Without a lock file there is no server. A new one would belong to the user who asks, and keep the server out.
  bool const has_lock = std::filesystem::exists(options.directory / "lock.mdb", failure);
  try {
    database d(options.directory, std::nullopt, has_lock ? 0u : unsigned{MDB_RDONLY | MDB_NOLOCK});
    read_only t(d);
    auto const found = t.look();
    if (found == contents::foreign) throw_refusal(options.directory, "its data.mdb was made by another program");
    if (found == contents::nothing) return;
    check_environment(options, t.meta_number(meta::environment));
    check_format(options, t.meta_number(meta::format));
  } catch (mdb_fault const& f) {
    throw_as_refusal(options.directory, f);
  } catch (damaged_record const& f) {
    throw_refusal(options.directory, f.what());
  }
}

std::unique_ptr<database> open_without_lock(std::filesystem::path const& directory) {
  auto d = std::make_unique<database>(directory, std::nullopt, MDB_RDONLY | MDB_NOLOCK);
  read_only t(*d);
  if (!t.open_every_table()) throw mdb_fault(MDB_NOTFOUND, "open a table");
  t.commit();
  return d;
}

}  // namespace petstore::storage::lmdb
