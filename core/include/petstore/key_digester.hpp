// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <string_view>

#include "petstore/api_key.hpp"
#include "petstore/export.hpp"

namespace petstore {

/// Digests API keys, and remembers the last one: whoever keeps a connection sends the same key with each request, and
/// requests that arrive together come from one connection. It keeps the key itself as long, as the memory that requests
/// are read into does anyway. One thread.
class PETSTORE_EXPORT key_digester {
 public:
  /// `e`: whose keys it takes for keys.
  explicit key_digester(environment e) noexcept : environment_{e} {}

  /// nullptr for what is no key of this environment; else good until the next call. Throws as `sha256` does.
  sha256_digest const* digest(std::string_view token);

 private:
  environment const environment_;
  bool has_last_ = false;
  std::array<char, api_key_size> last_{};
  sha256_digest digest_{};
};

}  // namespace petstore
