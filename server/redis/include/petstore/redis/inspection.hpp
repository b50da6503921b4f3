// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>

namespace petstore::redis {

/// What a server says of itself. A member that may not be asked for, or is not told, is empty: unknown.
struct inspection {
  std::string where;             ///< host:port
  std::string version;           ///< "7.0.15"; Valkey tells the Redis version that it is compatible with
  std::string role;              ///< "master" or "slave"
  std::string maxmemory_policy;  ///< "noeviction", "allkeys-lru", …
  std::string appendonly;        ///< "yes" or "no"
  std::string appendfsync;       ///< "always", "everysec" or "no"
};

}  // namespace petstore::redis
