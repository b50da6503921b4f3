// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Quotas shared by several nodes.
#include <petstore/quota/redis.hpp>

int main() {
  petstore::quota::validate_redis_address("redis://cache.example:6379/0");
  try {
    petstore::quota::validate_redis_address("memcached://cache.example");
  } catch (std::runtime_error const&) {
    return 0;
  }
  return 1;
}
