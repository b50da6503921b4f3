// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string_view>

#include "petstore/error.hpp"
#include "petstore/server/request.hpp"

namespace petstore::server {

enum class body_kind : std::uint8_t {
  json,         ///< application/json
  merge_patch,  ///< that, or application/merge-patch+json (RFC 7396)
};

/// What a PATCH takes (RFC 5789): a whole line of an answer's fields.
inline constexpr std::string_view accept_patch_field =
    "Accept-Patch: application/merge-patch+json, application/json\r\n";

/// Whether a Content-Type names a type of that kind. `charset=utf-8` is tolerated, another charset is not; parameters
/// that mean nothing here are ignored. Any thread.
bool is_content_type(std::string_view content_type, body_kind) noexcept;

/// The body that an operation needs, or why it cannot be looked at: missing, of another type, too large. Any thread.
result<std::string_view> take_body(request const&, body_kind);

}  // namespace petstore::server
