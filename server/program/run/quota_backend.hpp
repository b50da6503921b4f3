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

/// Where a server's quotas are counted, and what that needs to run. Thread safety: `source` is any thread's, `figures`
/// and `ready` too; `close` is called once, when nothing is charged any more.
class quota_backend {
 public:
  virtual ~quota_backend() = default;

  virtual ports::quota_source& source() = 0;
  /// Keeps or gives back what it holds. False: what was charged last is lost, and reported so.
  virtual bool close() = 0;
  /// Other rules, from the next charge on. Any thread.
  virtual void set_bans(limits::ban_policy const&) = 0;
  /// nullopt: this process counts alone.
  virtual std::optional<ports::shared_quota_figures> figures() const { return std::nullopt; }
  /// False while requests are refused for want of an answer.
  virtual bool ready() const { return true; }
};

/// Beside an lmdb store, nowhere, or in Redis, as is configured. The store is open already. Throws config_error naming
/// the setting and the cause.
std::unique_ptr<quota_backend> open_quotas(loaded_settings const&, store_report);

/// A part of the function above, that a build without Redis (PETSTORE_BUILD_REDIS) has another version of.
std::unique_ptr<quota_backend> open_shared_quotas(loaded_settings const&, store_report);

/// Whether the address of Redis is one, and the files that it names can be used, as far as that can be said without
/// connecting. Throws config_error. A build without Redis has another version of it.
void judge_redis_address(loaded_settings const&);

}  // namespace petstore::program
