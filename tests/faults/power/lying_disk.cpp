// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A disk that says that everything is safe and has done nothing, for a program that is started with this library in
// LD_PRELOAD: fsync, fdatasync and msync succeed at once, and no descriptor is synchronous. A test of what outlasts a
// power cut has to fail with it.
//
// LYING_DISK_ABOUT, when it is set, names what it lies about and is honest about the rest: `files` and `directories`
// that are synced, `writes` through synchronous descriptors.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdlib>
#include <string_view>

namespace {

template <class Function>
Function* real(char const* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

bool lies_about(std::string_view what) {
  char const* const about = ::getenv("LYING_DISK_ABOUT");
  return !about || about == what;
}

bool is_directory(int fd) {
  struct stat status;
  return ::fstat(fd, &status) == 0 && S_ISDIR(status.st_mode);
}

int open_and_lie(char const* path, int flags, mode_t mode) {
  static auto* const next = real<int(char const*, int, ...)>("open");
  return next(path, lies_about("writes") ? flags & ~(O_SYNC | O_DSYNC) : flags, mode);
}

mode_t mode_of(int flags, va_list arguments) {
  return (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
}

}  // namespace

extern "C" {

int fsync(int fd) {
  static auto* const next = real<int(int)>("fsync");
  return lies_about(is_directory(fd) ? "directories" : "files") ? 0 : next(fd);
}

int fdatasync(int fd) {
  static auto* const next = real<int(int)>("fdatasync");
  return lies_about("files") ? 0 : next(fd);
}

int msync(void* begin, size_t size, int flags) {
  static auto* const next = real<int(void*, size_t, int)>("msync");
  return lies_about("files") ? 0 : next(begin, size, flags);
}

int open(char const* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t const mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_and_lie(path, flags, mode);
}

// The same function under the name that programs with large files have for it.
int open64(char const* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t const mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_and_lie(path, flags, mode);
}

}  // extern "C"
