// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <atomic>

#include "petstore/export.hpp"

namespace petstore::server {

/// Whether the process should get traffic. All services of a process and the admin pages share one. Any thread.
struct PETSTORE_EXPORT readiness {
  std::atomic<bool> draining{false};     ///< a drain has begun
  std::atomic<bool> store_ready{true};   ///< the store reports that it can take requests
  std::atomic<bool> quotas_ready{true};  ///< false: requests are refused because their quotas cannot be counted
  /// Whether all of them allow traffic.
  bool ready() const noexcept { return !draining && store_ready && quotas_ready; }
};

}  // namespace petstore::server
