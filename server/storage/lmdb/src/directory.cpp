// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "directory.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <exception>
#include <limits>
#include <string>
#include <system_error>

#include "petstore/storage/lmdb.hpp"

namespace petstore::storage::lmdb {
namespace {

namespace fs = std::filesystem;

// The allowed contents of a directory without data: an incomplete store, quotas, the key of a demo, the root of a
// filesystem.
constexpr std::array<std::string_view, 8> harmless{data_file_name, unfinished_file_name, restored_directory_name,
                                                   "lock.mdb",     lock_file_name,       "quota",
                                                   "demo-key",     "lost+found"};

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t nearly_full_bytes = 1 << 20;  // more than LMDB writes in one system call

std::error_code last_failure() {
  return {errno, std::generic_category()};
}

void create(fs::path const& directory) {
  std::error_code failure;
  fs::create_directories(directory, failure);
  if (failure) throw_refusal(directory, "the directory cannot be created: ", failure);
  // The digests of keys must not be readable for others.
  fs::permissions(directory, fs::perms::owner_all, failure);
  if (failure) throw_refusal(directory, "its permissions cannot be set: ", failure);
}

/// The pid that the holder of the lock wrote into it; empty if there is none.
std::string holder_of(file_descriptor const& lock) {
  std::array<char, 20> text;
  auto const size = ::pread(lock.get(), text.data(), text.size(), 0);
  if (size <= 0) return {};
  std::string pid(text.data(), static_cast<std::size_t>(size));
  return pid.substr(0, pid.find_first_not_of("0123456789"));
}

/// How many bytes the data file may grow by before it reaches the largest size that the process may give to a file.
std::uint64_t room_below_size_limit(fs::path const& directory) noexcept try {
  rlimit largest{};
  if (::getrlimit(RLIMIT_FSIZE, &largest) != 0 || largest.rlim_cur == RLIM_INFINITY) return unlimited;
  std::error_code failure;
  std::uint64_t const size = fs::file_size(directory / data_file_name, failure);
  return largest.rlim_cur - std::min<std::uint64_t>(size, largest.rlim_cur);
} catch (std::exception const&) {  // no memory
  return unlimited;
}

/// Whether this process gets no more space although the filesystem has some: the quota of a user, a group or a project
/// is used up. A filesystem that cannot be asked in this way says no, and so does one that has no free inode (ENOSPC of
/// `open`): the data file needs none.
bool is_quota_used_up(fs::path const& directory) noexcept {
  file_descriptor const probe(::open(directory.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
  if (probe.get() < 0) return errno == EDQUOT;
  return ::fallocate(probe.get(), 0, 0, nearly_full_bytes) != 0 && (errno == EDQUOT || errno == ENOSPC);
}

}  // namespace

std::string refusal(fs::path const& directory, std::string_view cause) {
  return "cannot open the store in '" + directory.string() + "': " + std::string{cause};
}

void throw_refusal(fs::path const& directory, std::string_view cause) {
  throw open_error(refusal(directory, cause));
}

void throw_refusal(fs::path const& directory, std::string_view what, std::error_code failure) {
  ports::refuse_to_open(refusal(directory, what) + failure.message(), failure);
}

store_file prepare_directory(fs::path const& directory, on_absence absence) {
  std::error_code failure;
  auto const status = fs::status(directory, failure);
  if (status.type() == fs::file_type::not_found) {
    if (absence == on_absence::refuse) throw_refusal(directory, "there is no such directory");
    create(directory);
    return store_file::absent;
  }
  if (failure) throw_refusal(directory, "", failure);
  if (status.type() != fs::file_type::directory) throw_refusal(directory, "it is not a directory");

  fs::directory_iterator entries(directory, failure);
  if (failure) throw_refusal(directory, "", failure);
  bool has_data = false;
  std::string unknown_file;
  for (auto const& entry : entries) {
    auto const name = entry.path().filename().string();
    if (name == data_file_name) has_data = true;
    if (std::ranges::find(harmless, name) == harmless.end()) unknown_file = name;
  }
  if (has_data)
    return fs::file_size(directory / data_file_name, failure) != 0 ? store_file::present : store_file::absent;
  if (!unknown_file.empty()) throw_refusal(directory, "it holds other files ('" + unknown_file + "') and no store");
  if (absence == on_absence::refuse) throw_refusal(directory, "there is no store in it");
  return store_file::absent;
}

void check_creation(fs::path const& directory) {
  std::error_code failure;
  auto above = fs::absolute(directory).parent_path();
  while (above.has_relative_path() && !fs::exists(above, failure)) above = above.parent_path();
  bool const is_directory = fs::is_directory(above, failure);
  if (is_directory && ::faccessat(AT_FDCWD, above.c_str(), W_OK | X_OK, AT_EACCESS) == 0) return;
  throw_refusal(directory, "the directory cannot be created: ",
                is_directory ? last_failure() : std::make_error_code(std::errc::not_a_directory));
}

file_descriptor lock_for_serving(fs::path const& directory) {
  auto const path = directory / lock_file_name;
  file_descriptor lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (lock.get() < 0) throw_refusal(directory, "its lock file cannot be opened: ", last_failure());
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) throw_refusal(directory, "it cannot be locked: ", last_failure());
    auto const pid = holder_of(lock);
    throw ports::unavailable_error(
        refusal(directory, "another server" + (pid.empty() ? pid : " (process " + pid + ")") + " is using it"));
  }
  // The pid is only for the error message: the kernel holds the lock, so the contents of the file may be outdated.
  auto const pid = std::to_string(::getpid()) + "\n";
  if (::ftruncate(lock.get(), 0) != 0 || ::pwrite(lock.get(), pid.data(), pid.size(), 0) < 0) errno = 0;
  return lock;
}

bool is_served(fs::path const& directory) noexcept {
  file_descriptor const lock(::open((directory / lock_file_name).c_str(), O_RDONLY | O_CLOEXEC));
  return lock.get() >= 0 && ::flock(lock.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

void require_no_restore(fs::path const& directory, serving_lock whose) {
  std::error_code ignored;
  if (!fs::exists(directory / restored_directory_name, ignored)) return;
  if (whose == serving_lock::of_others && is_served(directory))
    throw ports::unavailable_error(refusal(directory, "a restore into it is under way"));
  throw_refusal(directory,
                std::string("a restore into it has not ended: repeat that, or remove its ") + restored_directory_name);
}

file_descriptor open_data_file(fs::path const& directory) {
  file_descriptor file(::open((directory / data_file_name).c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) throw_refusal(directory, "its data cannot be opened: ", last_failure());
  return file;
}

bool is_nearly_full(fs::path const& directory) noexcept {
  struct statvfs filesystem {};
  if (::statvfs(directory.c_str(), &filesystem) != 0) return false;
  auto const free = std::uint64_t{filesystem.f_bavail} * filesystem.f_frsize;
  return std::min(free, room_below_size_limit(directory)) < nearly_full_bytes || is_quota_used_up(directory);
}

bool is_short_write(fs::path const& directory, file_descriptor const& data_file) noexcept {
  return is_nearly_full(directory) && ::fsync(data_file.get()) == 0;
}

}  // namespace petstore::storage::lmdb
