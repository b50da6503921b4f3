// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <sys/resource.h>

namespace petstore::tests {

/// A limit of this process, and of those that it starts meanwhile. One thread.
class resource_limit {
 public:
  resource_limit(__rlimit_resource_t resource, rlim_t most) : resource_(resource) {
    ::getrlimit(resource_, &before_);
    rlimit const limit{most, before_.rlim_max};
    ::setrlimit(resource_, &limit);
  }
  ~resource_limit() { ::setrlimit(resource_, &before_); }
  resource_limit(resource_limit const&) = delete;
  resource_limit& operator=(resource_limit const&) = delete;

 private:
  __rlimit_resource_t resource_;
  rlimit before_{};
};

}  // namespace petstore::tests
