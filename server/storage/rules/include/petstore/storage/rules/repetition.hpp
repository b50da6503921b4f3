// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "petstore/ports/store.hpp"

namespace petstore::storage::rules {

/// The operations that can be repeated: with the identity and the key, the scope of an idempotency record.
enum class repeatable : std::uint8_t { create_pet = 1, create_order = 2 };

/// The first answer to a creation that may be repeated.
struct kept_answer {
  sha256_digest body_digest{};
  unix_ms expires_at{};
  ports::stored answer;
};

/// How many expired answers a write removes on its way: more than the one it may add, so that they cannot pile up, and
/// few enough that no write pays for all the others.
inline constexpr std::size_t expired_answers_per_write = 8;

/// nullopt: not seen before, do it. A value: the answer to give again. Another body under the same key is a conflict.
result<std::optional<ports::stored>> find_repetition(kept_answer const* kept, ports::idempotency const&, unix_ms now);

kept_answer keep(ports::stored const&, ports::idempotency const&, unix_ms now);

}  // namespace petstore::storage::rules
