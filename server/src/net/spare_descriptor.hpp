// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <fcntl.h>

#include "net/descriptor.hpp"

namespace petstore::server::net {

/// A reserved descriptor for the moment when no other is free. Without it, waiting connections could be neither
/// accepted nor refused, and each accept would fail again at once.
class spare_descriptor {
 public:
  spare_descriptor() noexcept { take(); }

  void take() noexcept { fd_ = descriptor{::open("/dev/null", O_RDONLY | O_CLOEXEC)}; }
  void release() noexcept { fd_ = descriptor{-1}; }
  bool is_held() const noexcept { return fd_.get() >= 0; }

 private:
  descriptor fd_{-1};
};

}  // namespace petstore::server::net
