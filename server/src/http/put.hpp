// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string_view>

namespace petstore::server::http {

/// Copies `text` to `at` and returns the position after it. The caller ensures that there is space.
inline char* put(char* at, std::string_view text) noexcept {
  text.copy(at, text.size());  // an empty view may have a null pointer, which must not be passed to memcpy
  return at + text.size();
}

}  // namespace petstore::server::http
