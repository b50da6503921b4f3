// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Records what a program does to the files below one directory, for programs that are started with this library in
// LD_PRELOAD, RECORD_DISK_BELOW (the directory, without symbolic links) and RECORD_DISK_LOG (the file that all of them
// append to; it lies elsewhere). disk_log.hpp says what the order in the log is worth.
//
// What is written through a shared mapping is not seen. The store is not written so, and the replayer compares what it
// replayed with what is there in the end.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "disk_log.hpp"

namespace {

using petstore::faults::act;
using petstore::faults::entry_head;

template <class Function>
Function* real(char const* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

/// The program is not to see a difference.
class keep_errno {
 public:
  keep_errno() = default;
  ~keep_errno() { errno = kept_; }
  keep_errno(keep_errno const&) = delete;
  keep_errno& operator=(keep_errno const&) = delete;

 private:
  int const kept_ = errno;
};

/// Without recording what opens it.
int log_file() {
  static int const file = [] {
    char const* const path = ::getenv("RECORD_DISK_LOG");
    int const opened =
        path ? static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CLOEXEC)) : -1;
    if (opened < 0) ::abort();
    return opened;
  }();
  return file;
}

bool is_recorded(std::string_view path) {
  static std::string const below = [] {
    char const* const directory = ::getenv("RECORD_DISK_BELOW");
    return std::string{directory ? directory : ""};
  }();
  return !below.empty() && path.starts_with(below) && (path.size() == below.size() || path[below.size()] == '/');
}

/// Empty: not one that is recorded.
std::string path_of(int fd) {
  std::array<char, PATH_MAX> link;
  std::array<char, PATH_MAX> path;
  std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", fd);
  auto const size = ::readlink(link.data(), path.data(), path.size());
  std::string_view const found(path.data(), size < 0 ? 0 : static_cast<std::size_t>(size));
  return is_recorded(found) ? std::string{found} : std::string{};
}

/// Of something that may not be there (any more).
std::string path_of(char const* name) {
  std::string_view given = name;
  while (given.size() > 1 && given.ends_with('/')) given.remove_suffix(1);
  auto const slash = given.rfind('/');
  std::string const parent = slash == given.npos ? "." : slash == 0 ? "/" : std::string{given.substr(0, slash)};
  std::array<char, PATH_MAX> resolved;
  if (!::realpath(parent.c_str(), resolved.data())) return {};
  auto const path = std::string{resolved.data()} + '/' + std::string{given.substr(slash + 1)};
  return is_recorded(path) ? path : std::string{};
}

void append(act what, std::string_view path, std::uint64_t offset, std::string_view to, iovec const* data, int count) {
  keep_errno const keep;
  std::uint64_t data_size = 0;
  for (int i = 0; i < count; ++i) data_size += data[i].iov_len;
  entry_head head{.what = what,
                  .thread = static_cast<std::uint32_t>(::syscall(SYS_gettid)),
                  .offset = offset,
                  .path_size = static_cast<std::uint32_t>(path.size()),
                  .to_size = static_cast<std::uint32_t>(to.size()),
                  .data_size = data_size};
  std::vector<iovec> parts{
      {&head, sizeof head}, {const_cast<char*>(path.data()), path.size()}, {const_cast<char*>(to.data()), to.size()}};
  parts.insert(parts.end(), data, data + count);
  // In one call: the kernel keeps what several processes append apart. Half an entry would spoil the whole log.
  auto const written = ::syscall(SYS_writev, log_file(), parts.data(), parts.size());
  if (written < 0 || static_cast<std::uint64_t>(written) != sizeof head + path.size() + to.size() + data_size)
    ::abort();
}

void append(act what, std::string_view path, std::uint64_t offset = 0, std::string_view to = {}) {
  append(what, path, offset, to, nullptr, 0);
}

/// Of a write that took `size` bytes of these pieces.
void append_write(int fd, std::uint64_t offset, iovec const* pieces, int count, ssize_t size) {
  if (size <= 0) return;
  keep_errno const keep;
  auto const path = path_of(fd);
  if (path.empty()) return;
  std::vector<iovec> taken;
  auto left = static_cast<std::size_t>(size);
  for (int i = 0; i < count && left != 0; ++i) {
    taken.push_back({pieces[i].iov_base, std::min(left, pieces[i].iov_len)});
    left -= taken.back().iov_len;
  }
  bool const is_synchronous = (::fcntl(fd, F_GETFL) & O_DSYNC) != 0;
  append(is_synchronous ? act::synchronous_write : act::write, path, offset, {}, taken.data(),
         static_cast<int>(taken.size()));
}

/// Of a write at the descriptor's own place, where it stands behind what it wrote.
void append_write_before(int fd, iovec const* pieces, int count, ssize_t size) {
  if (size <= 0) return;
  keep_errno const keep;
  auto const behind = ::lseek(fd, 0, SEEK_CUR);
  if (behind < size) return;  // a socket or a pipe
  append_write(fd, static_cast<std::uint64_t>(behind - size), pieces, count, size);
}

int sync_and_record(int fd, int (*next)(int)) {
  auto const path = path_of(fd);
  if (path.empty()) return next(fd);
  append(act::sync_begins, path);
  int const done = next(fd);
  if (done == 0) append(act::sync_ends, path);
  return done;
}

int open_and_record(char const* path, int flags, mode_t mode) {
  static auto* const next = real<int(char const*, int, ...)>("open");
  struct stat before;
  bool const makes = (flags & O_CREAT) != 0 && ::stat(path, &before) != 0;
  int const opened = next(path, flags, mode);
  if (opened < 0) return opened;
  keep_errno const keep;
  auto const where = makes || (flags & O_TRUNC) != 0 ? path_of(opened) : std::string{};
  if (where.empty()) return opened;
  append(makes ? act::make_file : act::set_size, where);
  return opened;
}

mode_t mode_of(int flags, va_list arguments) {
  return (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
}

}  // namespace

extern "C" {

int open(char const* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t const mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_and_record(path, flags, mode);
}

ssize_t pwrite(int fd, void const* data, size_t size, off_t offset) {
  static auto* const next = real<ssize_t(int, void const*, size_t, off_t)>("pwrite");
  auto const done = next(fd, data, size, offset);
  iovec const piece{const_cast<void*>(data), size};
  append_write(fd, static_cast<std::uint64_t>(offset), &piece, 1, done);
  return done;
}

ssize_t pwritev(int fd, iovec const* pieces, int count, off_t offset) {
  static auto* const next = real<ssize_t(int, iovec const*, int, off_t)>("pwritev");
  auto const done = next(fd, pieces, count, offset);
  append_write(fd, static_cast<std::uint64_t>(offset), pieces, count, done);
  return done;
}

ssize_t write(int fd, void const* data, size_t size) {
  static auto* const next = real<ssize_t(int, void const*, size_t)>("write");
  auto const done = next(fd, data, size);
  iovec const piece{const_cast<void*>(data), size};
  append_write_before(fd, &piece, 1, done);
  return done;
}

ssize_t writev(int fd, iovec const* pieces, int count) {
  static auto* const next = real<ssize_t(int, iovec const*, int)>("writev");
  auto const done = next(fd, pieces, count);
  append_write_before(fd, pieces, count, done);
  return done;
}

int ftruncate(int fd, off_t size) noexcept {
  static auto* const next = real<int(int, off_t)>("ftruncate");
  int const done = next(fd, size);
  if (done != 0) return done;
  if (auto const path = path_of(fd); !path.empty()) append(act::set_size, path, static_cast<std::uint64_t>(size));
  return done;
}

int fsync(int fd) {
  static auto* const next = real<int(int)>("fsync");
  return sync_and_record(fd, next);
}

int fdatasync(int fd) {
  static auto* const next = real<int(int)>("fdatasync");
  return sync_and_record(fd, next);
}

int mkdir(char const* path, mode_t mode) noexcept {
  static auto* const next = real<int(char const*, mode_t)>("mkdir");
  int const done = next(path, mode);
  if (done != 0) return done;
  if (auto const where = path_of(path); !where.empty()) append(act::make_directory, where);
  return done;
}

int rename(char const* from, char const* to) noexcept {
  static auto* const next = real<int(char const*, char const*)>("rename");
  int const done = next(from, to);
  if (done != 0) return done;
  auto const old_path = path_of(from);
  auto const new_path = path_of(to);
  if (!old_path.empty() && !new_path.empty()) append(act::rename, old_path, 0, new_path);
  return done;
}

int remove(char const* path) noexcept {
  static auto* const next = real<int(char const*)>("remove");
  int const done = next(path);
  if (done != 0) return done;
  if (auto const where = path_of(path); !where.empty()) append(act::remove, where);
  return done;
}

int unlink(char const* path) noexcept {
  static auto* const next = real<int(char const*)>("unlink");
  int const done = next(path);
  if (done != 0) return done;
  if (auto const where = path_of(path); !where.empty()) append(act::remove, where);
  return done;
}

// The same functions under the names that programs with large files have for them.
int open64(char const* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t const mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_and_record(path, flags, mode);
}
ssize_t pwrite64(int fd, void const* data, size_t size, off64_t offset) {
  return pwrite(fd, data, size, offset);
}
ssize_t pwritev64(int fd, iovec const* pieces, int count, off64_t offset) {
  return pwritev(fd, pieces, count, offset);
}
int ftruncate64(int fd, off64_t size) noexcept {
  return ftruncate(fd, size);
}

}  // extern "C"
