// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include "petstore/key_record.hpp"

namespace petstore::tests {

/// A new key of the plan free. Every byte of its digest is `digest`.
inline create_key free_key(unsigned char digest) {
  create_key c;
  c.digest.fill(digest);
  c.prefix = "ps_live_";
  c.last_four = "abcd";
  c.name = "tester";
  c.plan = "free";
  return c;
}

}  // namespace petstore::tests
