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

/// Writes to the log when a ban for strikes begins (`ban_begun`) and when it has ended (`ban_ended`), because its time
/// is over or because an operator lifted it. A ban that an earlier process has told of has no line at its end, unless
/// nodes share their quotas: then this process tells of it anew.
///
/// Thread safety: every function from any thread. `begin` takes a lock; it is called once for each ban.
class PETSTORE_EXPORT ban_log {
 public:
  /// Bans of which the end is written too. While there are more, the others have the line of their beginning only.
  static constexpr std::size_t followed_max = 4'096;

  /// `quotas` outlives this object.
  ban_log(ports::quota_source& quotas, log_function);

  /// The verdict says that a ban begins (`limits::verdict::begins_ban`). `key` is 0 for a caller without a valid key.
  void begin(ports::payer const&, std::uint64_t key, limits::verdict const&, log_origin const&);

  /// Asks the quotas about each ban that has begun and writes which of them have ended. To be called about once a
  /// second.
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
