// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "petstore/ports/store.hpp"

namespace petstore::storage::rules {

/// The operations that can be repeated. Together with the identity and the key, this is the scope of an idempotency
/// record.
enum class repeatable : std::uint8_t { create_pet = 1, create_order = 2, create_key = 3 };

/// The stored answer to a creation that may be repeated.
struct kept_answer {
  sha256_digest body_digest{};
  unix_ms expires_at{};
  ports::stored answer;
};

/// The number of expired answers that a write removes: more than the one it may add, so that they cannot accumulate,
/// and few enough that no single write has to remove all of them.
inline constexpr std::size_t expired_answers_per_write = 8;

/// nullopt: the creation is new. A value: the stored answer, which must be repeated. Another body with the same key is
/// a conflict.
result<std::optional<ports::stored>> find_repetition(kept_answer const* kept, ports::idempotency const&, unix_ms now);

kept_answer keep(ports::stored const&, ports::idempotency const&, unix_ms now);

/// What is kept of the creation of a key: its number. The answer has the key itself, which is stored nowhere.
ports::stored creation_of(key_record const&);
/// The result of a repeated creation of that key, which still exists: no key is ever removed.
key_change replay_creation(key_record, identity_record);

}  // namespace petstore::storage::rules
