// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <string_view>

#include "petstore/error.hpp"
#include "petstore/etag.hpp"
#include "petstore/export.hpp"
#include "petstore/ports/store.hpp"
#include "petstore/server/request.hpp"

namespace petstore::server {

/// Parses If-Match or If-None-Match: all lines of that name, joined as in RFC 9110, 5.3. Any thread.
[[nodiscard]] PETSTORE_EXPORT result<etag_condition> read_condition(request const&, known_field);

/// Parses Idempotency-Key for a caller; nullopt without the field. `body_digest` is that of no body: set it to the
/// SHA-256 of the body when that has been read. Any thread.
[[nodiscard]] PETSTORE_EXPORT result<std::optional<ports::idempotency>> read_idempotency(request const&,
                                                                                         std::uint64_t identity);

}  // namespace petstore::server
