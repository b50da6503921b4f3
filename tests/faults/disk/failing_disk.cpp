// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A disk that fails, for a program that is started with this library in LD_PRELOAD: while the file that FAILING_DISK
// names exists, what it holds as text fails with EIO:
//
//     sync   fdatasync, and nothing else
//     head   a write through a descriptor that was opened to be synchronous (LMDB's last write of a commit); the bytes
//            do reach the file, as those in a page cache do
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>

namespace {

template <class Function>
Function* real(char const* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

bool fails(std::string_view what) {
  char const* const path = ::getenv("FAILING_DISK");
  int const file = path ? ::open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return false;
  char text[16];
  auto const size = ::read(file, text, sizeof text);
  ::close(file);
  return size > 0 && std::string_view(text, static_cast<std::size_t>(size)) == what;
}

bool is_synchronous(int fd) {
  int const flags = ::fcntl(fd, F_GETFL);
  return flags != -1 && (flags & O_DSYNC) != 0;
}

}  // namespace

extern "C" {

int fdatasync(int fd) {
  static auto* const next = real<int(int)>("fdatasync");
  if (!fails("sync")) return next(fd);
  errno = EIO;
  return -1;
}

ssize_t pwrite(int fd, void const* data, size_t size, off_t offset) {
  static auto* const next = real<ssize_t(int, void const*, size_t, off_t)>("pwrite");
  auto const done = next(fd, data, size, offset);
  if (!is_synchronous(fd) || !fails("head")) return done;
  errno = EIO;
  return -1;
}

// The same function under the name that programs with large files have for it.
ssize_t pwrite64(int fd, void const* data, size_t size, off64_t offset) {
  return pwrite(fd, data, size, offset);
}

}  // extern "C"
