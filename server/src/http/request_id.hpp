// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "petstore/server/request.hpp"

namespace petstore::server::http {

using request_id_text = std::array<char, 16>;

/// Makes ids for requests without one: unique enough to find a line in a log, not secret. One thread.
class request_id_source {
 public:
  request_id_source();
  explicit request_id_source(std::uint64_t seed) noexcept : state_{seed} {}

  /// 16 hexadecimal digits.
  request_id_text next() noexcept;

 private:
  std::uint64_t state_;
};

/// Returns the caller's X-Request-Id if there is exactly one and it has 1 to 128 visible ASCII characters, otherwise an
/// empty view. An id that looks like an API key is ignored, since it would be written to every log.
std::string_view find_request_id(request const&) noexcept;

}  // namespace petstore::server::http
