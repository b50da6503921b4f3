// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/key_object.hpp"

namespace petstore::program {

key_state key_object::state() const noexcept {
  if (key.revoked_at) return key_state::revoked;
  if (key.expires_at && *key.expires_at <= now) return key_state::expired;
  return banned_until ? key_state::banned : key_state::active;
}

void key_object::add_members(json_object& out) const {
  out.add("id", key_id(key.number)).add("identity", key_id(identity.number));
  out.add("name", identity.name).add("plan", identity.plan);
  out.add_or_null("perMinute", identity.per_minute).add_or_null("perDay", identity.per_day);
  out.add("scope", key.scope).add("state", state()).add("createdAt", key.created_at);
  out.add_or_null("expiresAt", key.expires_at).add_or_null("lastUsedAt", last_used);
  out.add_or_null("bannedUntil", banned_until);
  out.add("prefix", key.prefix).add("lastFour", key.last_four);
}

}  // namespace petstore::program
