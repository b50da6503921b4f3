// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A library for LD_PRELOAD that simulates a disk whose syncs take a known time: fsync, fdatasync, msync, and writes
// through a descriptor that was opened with O_SYNC or O_DSYNC return SLOW_SYNC_MICROSECONDS later than they would. On a
// filesystem in memory, this is all the time that they take.
//
// A commit of LMDB 0.9.24 waits for the disk twice: fdatasync for the pages, then one write of its meta page through a
// descriptor opened with O_DSYNC. So a commit takes two such times.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace {

template <class Function>
Function* real(char const* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

timespec sync_time() {
  constexpr long microseconds_per_second = 1'000'000;
  char const* const text = ::getenv("SLOW_SYNC_MICROSECONDS");
  long const microseconds = text ? std::strtol(text, nullptr, 10) : 0;
  return {.tv_sec = microseconds / microseconds_per_second, .tv_nsec = microseconds % microseconds_per_second * 1'000};
}

void wait_for_the_disk() {
  static timespec const time = sync_time();
  int const errno_before = errno;
  timespec left = time;
  while (::nanosleep(&left, &left) != 0) continue;
  errno = errno_before;
}

bool is_synchronous(int fd) {
  int const flags = ::fcntl(fd, F_GETFL);
  return flags != -1 && (flags & O_DSYNC) != 0;
}

}  // namespace

extern "C" {

int fsync(int fd) {
  static auto* const next = real<int(int)>("fsync");
  int const done = next(fd);
  wait_for_the_disk();
  return done;
}

int fdatasync(int fd) {
  static auto* const next = real<int(int)>("fdatasync");
  int const done = next(fd);
  wait_for_the_disk();
  return done;
}

int msync(void* begin, size_t size, int flags) {
  static auto* const next = real<int(void*, size_t, int)>("msync");
  int const done = next(begin, size, flags);
  if ((flags & MS_SYNC) != 0) wait_for_the_disk();
  return done;
}

ssize_t pwrite(int fd, void const* data, size_t size, off_t offset) {
  static auto* const next = real<ssize_t(int, void const*, size_t, off_t)>("pwrite");
  auto const done = next(fd, data, size, offset);
  if (is_synchronous(fd)) wait_for_the_disk();
  return done;
}

// The same function under its name for large files.
ssize_t pwrite64(int fd, void const* data, size_t size, off64_t offset) {
  return pwrite(fd, data, size, offset);
}

}  // extern "C"
