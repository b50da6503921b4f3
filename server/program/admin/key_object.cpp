// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/key_object.hpp"

#include <fmt/format.h>

#include <string_view>

namespace petstore::program {
namespace {

constexpr std::string_view null = "null";

template <class T>
void add_or_null(json_object& out, std::string_view name, std::optional<T> const& value) {
  value ? out.add(name, *value) : out.add_json(name, null);
}

}  // namespace

key_state key_object::state() const noexcept {
  if (key.revoked_at) return key_state::revoked;
  if (key.expires_at && *key.expires_at <= now) return key_state::expired;
  return banned_until ? key_state::banned : key_state::active;
}

void key_object::add_members(json_object& out) const {
  out.add("id", fmt::format("k{}", key.number)).add("identity", fmt::format("k{}", identity.number));
  out.add("name", identity.name).add("plan", identity.plan);
  add_or_null(out, "perMinute", identity.per_minute);
  add_or_null(out, "perDay", identity.per_day);
  out.add("scope", key.scope).add("state", state()).add("createdAt", key.created_at);
  add_or_null(out, "expiresAt", key.expires_at);
  add_or_null(out, "lastUsedAt", last_used);
  add_or_null(out, "bannedUntil", banned_until);
  out.add("prefix", key.prefix).add("lastFour", key.last_four);
}

}  // namespace petstore::program
