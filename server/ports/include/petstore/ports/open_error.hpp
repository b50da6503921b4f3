// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <stdexcept>

#include "petstore/export.hpp"

namespace petstore::ports {

/// The reason why a store cannot be opened: one sentence that names the store and the cause, without secrets.
struct PETSTORE_EXPORT open_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace petstore::ports
