// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <string_view>

#include "petstore/api_key.hpp"
#include "petstore/export.hpp"

namespace petstore {

/// Computes the digests of API keys, and remembers the last one: a client that keeps a connection sends the same key
/// with each request, and requests that arrive together come from one connection. It keeps the key itself for the same
/// time; the input buffers of requests hold it, too. One thread.
class PETSTORE_EXPORT key_digester {
 public:
  /// `e` is the environment of the accepted keys.
  explicit key_digester(environment e) noexcept : environment_{e} {}

  /// Returns nullptr if the text is no key of this environment; otherwise a digest that is valid until the next call.
  sha256_digest const* digest(std::string_view token);

 private:
  environment const environment_;
  bool has_last_ = false;
  std::array<char, api_key_size> last_{};
  sha256_digest digest_{};
};

}  // namespace petstore
