// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <atomic>

#include "petstore/export.hpp"

namespace petstore::server {

/// Whether the process should get traffic; shared by all services of a process and the admin pages. Any thread.
struct PETSTORE_EXPORT readiness {
  std::atomic<bool> draining{false};     ///< a drain began
  std::atomic<bool> store_ready{true};   ///< the store said that it can take requests
  std::atomic<bool> quotas_ready{true};  ///< false: requests are refused because their quotas cannot be counted
  /// All is well.
  bool ready() const noexcept { return !draining && store_ready && quotas_ready; }
};

}  // namespace petstore::server
