// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/storage/rules/repetition.hpp"

#include <chrono>
#include <utility>

namespace petstore::storage::rules {

result<std::optional<ports::stored>> find_repetition(kept_answer const* kept, ports::idempotency const& request,
                                                     unix_ms now) {
  std::optional<ports::stored> again;
  if (!kept || kept->expires_at <= now) return again;
  static_assert(ports::idempotency_kept == std::chrono::hours{24}, "as the sentence says");
  if (kept->body_digest != request.body_digest)
    return error{.code = errc::conflict,
                 .message = "This Idempotency-Key was used in the last 24 hours for another body.",
                 .cause = {}};
  again = kept->answer;
  again->replayed = true;
  return again;
}

kept_answer keep(ports::stored const& answer, ports::idempotency const& request, unix_ms now) {
  return {.body_digest = request.body_digest, .expires_at = now + ports::idempotency_kept, .answer = answer};
}

ports::stored creation_of(key_record const& key) {
  return {.id = static_cast<std::int64_t>(key.number), .tag = {}, .json = {}, .replayed = false};
}

key_change replay_creation(key_record key, identity_record identity) {
  return {.changed = {}, .added = std::move(key), .identity = std::move(identity), .entry = {}, .replayed = true};
}

}  // namespace petstore::storage::rules
