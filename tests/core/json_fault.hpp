// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>

#include "petstore/error.hpp"

namespace petstore::tests {

/// What a client is told about a body, empty when it is taken. Any code but invalid_request is told too.
template <class Record>
std::string fault_of(result<Record> const& decoded) {
  if (decoded) return {};
  auto const& e = decoded.error();
  return (e.code == errc::invalid_request ? "" : std::string{describe(e.code).code} + ": ") + e.message;
}

}  // namespace petstore::tests
