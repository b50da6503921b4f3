// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace petstore::redis {

/// What a server says about itself. A member is empty if it is unknown: the server forbids the question, or does not
/// answer it.
struct inspection {
  std::string where;                          ///< host:port
  std::string version;                        ///< "7.0.15"; Valkey gives the Redis version with which it is compatible
  std::string role;                           ///< "master" or "slave"
  std::string maxmemory_policy;               ///< "noeviction", "allkeys-lru", …
  std::optional<std::uint64_t> evicted_keys;  ///< since its start, because of maxmemory
  std::string appendonly;                     ///< "yes" or "no"
  std::string appendfsync;                    ///< "always", "everysec" or "no"
};

}  // namespace petstore::redis
