// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>

namespace petstore::server {

/// Who pays for an operation, and how. What is no operation (405, OPTIONS, an unknown path) costs a token, or is
/// keyless where GET is.
enum class payment : std::uint8_t {
  token,    ///< one token of each quota of the API key
  inquiry,  ///< nothing, within a limit of its own (getQuota)
  keyless,  ///< no key needed: the keyless pages' bucket of the address
};

}  // namespace petstore::server
