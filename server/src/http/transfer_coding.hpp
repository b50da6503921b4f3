// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string_view>

/// How the length of a request's body is said (RFC 9112, 6). Any thread.
namespace petstore::server::http {

enum class transfer_coding : std::uint8_t { chunked, unknown, malformed };

/// The value of a Transfer-Encoding field. Only `chunked` alone is understood. Chunked with parameters, twice, or not
/// last leaves the end of the body unclear, which is malformed; a list of anything else is merely unknown.
transfer_coding parse_transfer_encoding(std::string_view value) noexcept;

}  // namespace petstore::server::http
