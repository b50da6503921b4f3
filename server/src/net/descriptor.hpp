// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <unistd.h>

#include <utility>

namespace petstore::server::net {

/// Owns a descriptor, or none (-1). An object of Asio takes one over with `assign`, which throws before it has.
class descriptor {
 public:
  explicit descriptor(int fd) noexcept : fd_{fd} {}
  descriptor(descriptor&& other) noexcept : fd_{other.release()} {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const noexcept { return fd_; }
  int release() noexcept { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

}  // namespace petstore::server::net
