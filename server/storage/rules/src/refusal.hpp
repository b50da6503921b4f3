// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <utility>

#include "petstore/error.hpp"

namespace petstore::storage::rules {

/// The error for a change that breaks a rule; `sentence` is for the client.
inline error refusal(errc code, std::string sentence) {
  return {.code = code, .message = std::move(sentence), .cause = {}};
}

}  // namespace petstore::storage::rules
