// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <iterator>
#include <optional>
#include <string>

#include "check_copy.hpp"
#include "free_space.hpp"
#include "page_check.hpp"
#include "petstore/storage/lmdb.hpp"
#include "petstore/storage/lmdb_maintenance.hpp"
#include "record_check.hpp"

namespace petstore::storage {
namespace {

using namespace lmdb;

[[noreturn]] void throw_uncheckable(std::filesystem::path const& directory, std::string const& cause) {
  throw open_error("cannot check the store in '" + directory.string() + "': " + cause);
}

check_summary check_state(read_only& t, file_descriptor const& file, fault_report const& report,
                          std::function<void()> const& pause, std::filesystem::path const& directory) {
  check_summary done;
  auto const pages = check_pages(file, contents_kind::tables, t.id(), report, pause);
  done.pages = pages.pages;
  if (!pages.all_tables_are_known) return done;

  if (pages.broken.contains(name_of(table::meta))) return done;
  if (t.look() != contents::ours) throw_uncheckable(directory, "its data.mdb was made by another program");
  auto const format = t.meta_number(meta::format);
  if (format > format_version || format == 0)
    throw_uncheckable(directory,
                      "its format is " + std::to_string(format) + ", written by a newer version of this program");
  if (format == 1)
    throw_uncheckable(directory, "it is of the old format 1, which a server brings up to date when it is started");
  auto unread = pages.broken;
  for (std::size_t i = 0; i < table_count; ++i) {
    auto const each = static_cast<table>(i);
    if (t.open_table(each)) continue;
    bool const is_later = std::ranges::find(tables_since_format_4, each) != std::end(tables_since_format_4);
    if (format >= 4 || !is_later) {
      report(std::string{name_of(each)} + ": the table is missing");
      return done;
    }
    unread.insert(name_of(each));
  }
  if (to_string(static_cast<environment>(t.meta_number(meta::environment))).empty())
    report("meta: it does not say which environment the store belongs to");
  auto const records = check_records(t, unread, report, pause);
  done.records = records.records;
  done.index_entries = records.index_entries;
  return done;
}

}  // namespace

check_summary check_lmdb_store(std::filesystem::path const& directory, fault_listener const& listener) {
  if (prepare_directory(directory, on_absence::refuse) == store_file::absent)
    throw_uncheckable(directory, "there is no store in it");
  std::uint64_t faults = 0;
  fault_report const report = [&](std::string const& fault) {
    ++faults;
    listener(fault);
  };
  auto const file = open_data_file(directory);
  if (auto const fault = find_head_fault(file); !fault.empty()) {
    report(fault);
    return {.pages = 0, .records = 0, .index_entries = 0, .faults = faults};
  }
  try {
    database d(directory, std::nullopt);
    auto const t = begin_with_head(d, file);
    std::optional<reading_allowance> allowed;
    if (is_free_list_sound(file, t->id())) allowed.emplace(d);
    auto const pause = [&] {
      if (allowed) allowed->check();
    };
    auto done = check_state(*t, file, report, pause, directory);
    done.faults = faults;
    return done;
  } catch (reading_too_long const& f) {
    throw maintenance_error(std::string{"the check was given up: "} + f.what());
  } catch (mdb_fault const& f) {
    throw maintenance_error(std::string{"the store cannot be checked to the end: "} + f.what());
  }
}

check_summary lmdb::check_copy(std::filesystem::path const& directory) {
  std::string first;
  auto const done = check_lmdb_store(directory, [&](std::string const& fault) {
    if (first.empty()) first = fault;
  });
  std::error_code ignored;
  std::filesystem::remove(directory / "lock.mdb", ignored);
  if (!first.empty())
    throw maintenance_error("the store is damaged in " + std::to_string(done.faults) + " places, first: " + first);
  return done;
}

}  // namespace petstore::storage
