// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <string_view>

#include "petstore/export.hpp"
#include "petstore/server/request.hpp"

/// What a client accepts (RFC 9110, 12.5). Any thread.
namespace petstore::server {

/// The weight that a request gives to a value in a field such as Accept or Accept-Encoding, in thousandths: 1,000 where
/// it names none, 0 where it refuses the value. nullopt: the field does not name the value; wildcards are values of
/// their own here. Parameters other than `q` are ignored, and so is a malformed weight. The first element that names
/// the value counts.
[[nodiscard]] PETSTORE_EXPORT std::optional<unsigned> weight_of(request const&, std::string_view field,
                                                                std::string_view value) noexcept;

/// Whether the Accept-Encoding of a request allows `gzip`; false without the field.
[[nodiscard]] PETSTORE_EXPORT bool accepts_gzip(request const&) noexcept;

/// Whether the Accept of a request names the media type and does not refuse it; false without the field.
[[nodiscard]] PETSTORE_EXPORT bool names_type(request const&, std::string_view type) noexcept;

}  // namespace petstore::server
