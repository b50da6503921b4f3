// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string_view>

#include "petstore/error.hpp"

namespace petstore::server::http {

/// The reason why bytes did not become a request. The connection ends after the answer.
struct refusal {
  errc code = errc::malformed_http;
  std::string_view message;  ///< static storage
};

}  // namespace petstore::server::http
