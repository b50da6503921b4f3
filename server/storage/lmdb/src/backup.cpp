// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "check_copy.hpp"
#include "create.hpp"
#include "file_copy.hpp"
#include "free_space.hpp"
#include "page_check.hpp"
#include "petstore/disk/lock.hpp"
#include "petstore/storage/lmdb.hpp"
#include "petstore/storage/lmdb_maintenance.hpp"

namespace petstore::storage {
namespace {

using namespace lmdb;
namespace fs = std::filesystem;

/// LMDB's copy would follow a damaged page to any address.
reading_allowance require_sound_pages(database& d, fs::path const& directory) {
  auto const file = open_data_file(directory);
  auto const t = begin_with_head(d, file);
  if (!is_free_list_sound(file, t->id())) throw maintenance_error("the store is damaged: petstore check names it all");
  reading_allowance allowed(d);
  std::string first;
  auto const keep_first = [&](std::string const& fault) {
    if (first.empty()) first = fault;
  };
  check_pages(file, contents_kind::tables, t->id(), keep_first, [&] { allowed.check(); });
  if (!first.empty()) throw maintenance_error("the store is damaged (petstore check names it all): " + first);
  return allowed;
}

void copy_store(fs::path const& from, fs::path const& to) {
  database d(from, std::nullopt);
  auto allowed = require_sound_pages(d, from);
  copy_database(d.handle(), to / data_file_name, [&] { allowed.check(); });
}

/// The next step removes what an interrupted backup has left, and may remove nothing else.
void require_remains_of_backup(fs::path const& unfinished) {
  std::error_code failure;
  auto const type = fs::symlink_status(unfinished, failure).type();
  if (type == fs::file_type::not_found) return;
  fs::directory_iterator const entries(unfinished, failure);
  bool is_ours = type == fs::file_type::directory && !failure;
  for (auto const& entry : entries) {
    auto const name = entry.path().filename();
    if (name != data_file_name && name != "lock.mdb" && name != "quota") is_ours = false;
  }
  if (!is_ours)
    throw open_error("'" + unfinished.string() + "' is no unfinished backup, which would be replaced: move it away");
}

/// Makes the directory, empty, and locks it as long as the descriptor is held.
file_descriptor lock_unfinished(fs::path const& unfinished) {
  auto const fail = [&](std::string const& why) { throw maintenance_error("'" + unfinished.string() + "' " + why); };
  auto const last_failure = [] { return std::generic_category().message(errno); };
  std::error_code failure;
  fs::create_directories(unfinished, failure);  // what failed is found by the next step
  file_descriptor lock(::open(unfinished.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (lock.get() < 0 || ::fchmod(lock.get(), 0700) != 0) fail("cannot be made: " + last_failure());
  if (!disk::lock_alone(lock, unfinished))
    throw maintenance_error("another backup is writing '" + unfinished.string() + "'");
  struct stat made {};
  if (::fstat(lock.get(), &made) != 0 || made.st_uid != ::geteuid()) fail("belongs to somebody else");
  for (auto const* const name : {data_file_name, "lock.mdb", "quota"}) {  // and it holds no other: see above
    fs::remove_all(unfinished / name, failure);
    if (failure) fail("cannot be emptied: " + failure.message());
  }
  return lock;
}

bool copy_quotas(fs::path const& from, fs::path const& to) {
  std::error_code ignored;
  if (!fs::exists(from / data_file_name, ignored)) return false;
  make_empty_directory(to);
  copy_unlocked_database(from / data_file_name, to / data_file_name);
  sync_to_disk(to / data_file_name);
  sync_to_disk(to);
  return true;
}

}  // namespace

check_summary back_up_lmdb_store(fs::path const& directory, fs::path const& output) {
  if (prepare_directory(directory, on_absence::refuse) == store_file::absent)
    throw open_error("there is no store in '" + directory.string() + "'");
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(output, ignored))) throw open_error("'" + output.string() + "' exists already");
  if (auto const fault = find_head_fault(open_data_file(directory)); !fault.empty())
    throw maintenance_error("the store is damaged: " + fault);

  auto const whole = fs::absolute(output.has_filename() ? output : output.parent_path());
  auto const unfinished = fs::path(whole) += ".partial";
  require_remains_of_backup(unfinished);
  auto const lock = lock_unfinished(unfinished);
  try {
    copy_store(directory, unfinished);
    copy_quotas(directory / "quota", unfinished / "quota");
    auto const found = check_copy(unfinished);
    sync_to_disk(unfinished / data_file_name);
    sync_to_disk(unfinished);
    rename_to(unfinished, whole);
    sync_way_to(whole);
    return found;
  } catch (mdb_fault const& f) {
    fs::remove_all(unfinished, ignored);
    throw maintenance_error(std::string{"the store cannot be copied: "} + f.what());
  } catch (reading_too_long const& f) {
    fs::remove_all(unfinished, ignored);
    throw maintenance_error(std::string{"the copy was given up: "} + f.what());
  } catch (...) {
    fs::remove_all(unfinished, ignored);
    throw;
  }
}

bool is_lmdb_store_in_use(fs::path const& directory) noexcept {
  return is_served(directory);
}

bool copy_lmdb_quotas(fs::path const& directory, fs::path const& output) {
  return copy_quotas(directory / "quota", output);
}

}  // namespace petstore::storage
