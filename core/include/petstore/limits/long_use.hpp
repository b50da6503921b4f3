// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>

#include "petstore/export.hpp"
#include "petstore/limits/verdict.hpp"

namespace petstore::limits {

/// Returns the tokens of the long window that were taken when a request was admitted, those of the request included:
/// `tell(v).long_window.used` at the cost of a mask. For verdicts that are no admission, the period may be over. Any
/// thread.
[[nodiscard]] PETSTORE_EXPORT std::uint64_t used_of_long_window(verdict const&) noexcept;

}  // namespace petstore::limits
