// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>

namespace petstore::server {

/// The price of an operation. OPTIONS and an unknown path cost a token. A method that the path does not have costs a
/// token, or is keyless where GET is. A CORS preflight is keyless.
enum class payment : std::uint8_t {
  token,    ///< tokens of each quota of the API key: one, or the cost of the operation
  inquiry,  ///< nothing, but it has a limit of its own (getQuota)
  keyless,  ///< no key needed: it is charged to the keyless bucket of the address
  page,     ///< the same, for the documentation page and its files: they have a bucket of their own
};

/// Whether that needs no key.
constexpr bool is_keyless(payment p) noexcept {
  return p == payment::keyless || p == payment::page;
}

}  // namespace petstore::server
