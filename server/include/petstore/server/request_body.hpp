// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string_view>

#include "petstore/error.hpp"
#include "petstore/export.hpp"
#include "petstore/server/request.hpp"

namespace petstore::server {

/// The media types that a body may have.
enum class body_kind : std::uint8_t {
  json,         ///< application/json
  merge_patch,  ///< application/json, or application/merge-patch+json (RFC 7396)
};

/// The media types of PATCH (RFC 5789), as a whole header line.
inline constexpr std::string_view accept_patch_field =
    "Accept-Patch: application/merge-patch+json, application/json\r\n";

/// Whether a Content-Type names a type of that kind. `charset=utf-8` is accepted, another charset is not; other
/// parameters are ignored. Any thread.
[[nodiscard]] PETSTORE_EXPORT bool is_content_type(std::string_view content_type, body_kind) noexcept;

/// Returns the body of a request, or an error: it is missing, has another type, or is too large. Any thread.
[[nodiscard]] PETSTORE_EXPORT result<std::string_view> take_body(request const&, body_kind);

}  // namespace petstore::server
