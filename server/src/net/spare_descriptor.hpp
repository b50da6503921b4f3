// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace petstore::server::net {

/// A reserved descriptor for the moment when no other is free. Without it, waiting connections could be neither
/// accepted nor refused, and each accept would fail again at once.
class spare_descriptor {
 public:
  spare_descriptor() noexcept { take(); }
  ~spare_descriptor() { release(); }
  spare_descriptor(spare_descriptor const&) = delete;
  spare_descriptor& operator=(spare_descriptor const&) = delete;

  void take() noexcept { fd_ = ::open("/dev/null", O_RDONLY | O_CLOEXEC); }
  void release() noexcept {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  bool is_held() const noexcept { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

}  // namespace petstore::server::net
