// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string_view>

#include "petstore/api_key.hpp"

namespace petstore {

/// Whether this processor has instructions for SHA-256.
bool has_sha_instructions() noexcept;

/// SHA-256 by these instructions; not to be called without them. They take the same time whatever the bytes are.
sha256_digest sha256_by_instructions(std::string_view) noexcept;

}  // namespace petstore
