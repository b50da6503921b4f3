// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "petstore/export.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/verdict.hpp"
#include "petstore/ports/quota_source.hpp"
#include "petstore/server/log.hpp"

namespace petstore::server {

/// Logs the begin (`ban_begun`) and the end (`ban_ended`) of a ban for strikes. A ban ends because its time is over or
/// because an operator lifted it. The end of a ban whose begin an earlier process logged is not logged. If nodes share
/// their quotas, this process logs the begin of such a ban again, and then its end.
///
/// Thread safety: every function may be called from any thread. `begin` takes a lock; it is called once for each ban.
class PETSTORE_EXPORT ban_log {
 public:
  /// The number of bans that are watched for their end. While there are more, only the begin of the others is logged.
  static constexpr std::size_t followed_max = 4'096;

  /// `quotas` outlives this object.
  ban_log(ports::quota_source& quotas, log_function);

  /// Logs the begin of a ban; the verdict says that it begins (`limits::verdict::begins_ban`). `key` is 0 for a caller
  /// without a valid key.
  void begin(ports::payer const&, std::uint64_t key, limits::verdict const&, log_origin const&);

  /// Checks each ban that has begun, and logs those that have ended. Call it about once a second.
  void write_ended(limits::instant now);

 private:
  struct ban {
    ports::payer who;
    std::string name;
    limits::boot_time until;
  };

  ports::quota_source& quotas_;
  log_function const log_;
  std::mutex mutex_;
  std::vector<ban> followed_;  ///< under mutex_
};

}  // namespace petstore::server
