// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "petstore/limits/address.hpp"

/// The documentation page has a bucket for each address, beside the one for what else needs no key. It is kept under an
/// address that no client has: the ninth byte of a charging unit is always 0. Any thread.
namespace petstore::server {

constexpr limits::address page_bucket_of(limits::address client) noexcept {
  client.bytes[8] = 1;
  return client;
}

/// The client's address, for this bucket and for any other.
constexpr limits::address client_of(limits::address bucket) noexcept {
  bucket.bytes[8] = 0;
  return bucket;
}

}  // namespace petstore::server
