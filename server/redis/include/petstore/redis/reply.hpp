// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace petstore::redis {

/// A reply of RESP2, https://redis.io/docs/latest/develop/reference/protocol-spec/: a plain value.
struct reply {
  enum class kind : std::uint8_t { nil, integer, text, status, error, array };

  kind type = kind::nil;
  std::int64_t integer = 0;     ///< of an `integer`
  std::string text;             ///< of a `text`, `status` or `error`; any bytes
  std::vector<reply> elements;  ///< of an `array`

  bool is_error() const noexcept { return type == kind::error; }
  bool is_array() const noexcept { return type == kind::array; }
  bool is_integer() const noexcept { return type == kind::integer; }
  bool is_text() const noexcept { return type == kind::text || type == kind::status; }

  friend bool operator==(reply const&, reply const&) = default;
};

/// The limits of a reply. A reply beyond them is an attack or a mistake, so its connection is closed.
struct reply_limits {
  std::size_t bytes_max = 1024 * 1024;  ///< of one whole reply, as sent
  std::size_t depth_max = 6;            ///< arrays within arrays; hiredis 0.14 reads no more than 7
};

}  // namespace petstore::redis
