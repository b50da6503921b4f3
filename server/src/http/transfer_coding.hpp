// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string_view>

/// How a request gives the length of its body (RFC 9112, 6). Any thread.
namespace petstore::server::http {

enum class transfer_coding : std::uint8_t { chunked, unknown, malformed };

/// Parses the value of a Transfer-Encoding field. Only `chunked` alone is supported. If chunked has parameters, occurs
/// twice or is not last, the end of the body is unclear: the value is malformed. A list of anything else is unknown.
transfer_coding parse_transfer_encoding(std::string_view value) noexcept;

}  // namespace petstore::server::http
