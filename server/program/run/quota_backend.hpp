// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "admin/figures.hpp"
#include "config/load.hpp"
#include "petstore/ports/quota_source.hpp"
#include "store/open_store.hpp"

namespace petstore::program {

/// Counts a server's quotas, and owns what that needs to run.
///
/// Thread safety: any thread; `close` is called once, when nothing is charged any more.
class quota_backend {
 public:
  virtual ~quota_backend() = default;

  virtual ports::quota_source& source() = 0;
  /// Saves or gives back what it holds. Returns false if the last charges are lost; that is also reported.
  virtual bool close() = 0;
  /// Replaces the rules for bans, from the next charge on.
  virtual void set_bans(limits::ban_policy const&) = 0;
  /// Returns nullopt if only this process counts.
  virtual std::optional<ports::shared_quota_figures> figures() const { return std::nullopt; }
  /// Returns false while requests are refused because Redis does not answer.
  virtual bool ready() const { return true; }
};

/// Opens the configured quotas: saved beside an lmdb store, not saved, or in Redis. The store must be open already.
/// Throws config_error, or command_error if the cause may pass. Both name the setting and the cause.
std::unique_ptr<quota_backend> open_quotas(loaded_settings const&, ports::report_function);

/// A part of the function above; a build without Redis (PETSTORE_BUILD_REDIS) has another version of it.
std::unique_ptr<quota_backend> open_shared_quotas(loaded_settings const&, ports::report_function);

/// Checks the address of Redis and the files that it names, as far as possible without a connection. Throws
/// config_error. A build without Redis has another version of it.
void validate_redis_address(loaded_settings const&);

}  // namespace petstore::program
