// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "storage/lmdb/disk.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>

namespace petstore::tests {
namespace {

std::mutex mutex;
std::function<int()> sync_hook;
std::function<int()> write_hook;
std::function<int()> allocation_hook;

int ask(std::function<int()> const& hook) {
  std::unique_lock lock(mutex);
  auto const asked = hook;
  lock.unlock();
  return asked ? asked() : 0;
}

ssize_t fail_with(int code) {
  errno = code;
  return -1;
}

}  // namespace

void disk::on_sync(std::function<int()> hook) {
  std::lock_guard const lock(mutex);
  sync_hook = std::move(hook);
}
void disk::on_write(std::function<int()> hook) {
  std::lock_guard const lock(mutex);
  write_hook = std::move(hook);
}
void disk::on_allocation(std::function<int()> hook) {
  std::lock_guard const lock(mutex);
  allocation_hook = std::move(hook);
}
void disk::heal() {
  on_sync({});
  on_write({});
  on_allocation({});
}

}  // namespace petstore::tests

using petstore::tests::ask;
using petstore::tests::fail_with;

extern "C" int fdatasync(int fd) {
  if (int const code = ask(petstore::tests::sync_hook); code != 0) return static_cast<int>(fail_with(code));
  return static_cast<int>(::syscall(SYS_fdatasync, fd));
}

extern "C" ssize_t pwrite(int fd, void const* data, size_t size, off_t offset) {
  int const code = ask(petstore::tests::write_hook);
  if (code > 0) return fail_with(code);
  return ::syscall(SYS_pwrite64, fd, data, code < 0 ? size - 1 : size, offset);
}

extern "C" ssize_t writev(int fd, iovec const* parts, int count) {
  int const code = ask(petstore::tests::write_hook);
  if (code > 0) return fail_with(code);
  return ::syscall(SYS_writev, fd, parts, code < 0 ? count - 1 : count);
}

extern "C" int fallocate(int fd, int mode, off_t offset, off_t size) {
  if (int const code = ask(petstore::tests::allocation_hook); code != 0) return static_cast<int>(fail_with(code));
  return static_cast<int>(::syscall(SYS_fallocate, fd, mode, offset, size));
}
