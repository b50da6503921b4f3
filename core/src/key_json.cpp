// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/key_json.hpp"

#include <limits>

#include "object_reader.hpp"
#include "petstore/hex.hpp"
#include "petstore/json.hpp"
#include "petstore/json_object.hpp"

namespace petstore {
namespace {

std::optional<sha256_digest> parse_digest(std::string_view text) noexcept {
  sha256_digest digest;
  if (text.size() != 2 * digest.size()) return std::nullopt;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    auto const high = hex_digits.find(text[2 * i]);
    auto const low = hex_digits.find(text[2 * i + 1]);
    if (high == hex_digits.npos || low == hex_digits.npos) return std::nullopt;
    digest[i] = static_cast<unsigned char>(high << 4 | low);
  }
  return digest;
}

template <class T>
std::optional<T> optional_quota(object_reader& in, std::string_view name) {
  auto const value = in.optional_id(name);
  if (!value) return std::nullopt;
  if (std::cmp_less_equal(*value, std::numeric_limits<T>::max())) return static_cast<T>(*value);
  in.fault(name, "is too large");
  return std::nullopt;
}

std::uint64_t count(object_reader& in, std::string_view name) {
  auto const value = in.integer(name);
  if (value < 0) in.fault(name, "must not be negative");
  return static_cast<std::uint64_t>(value);
}

}  // namespace

void append_json(std::string& out, key_record const& k) {
  json_object object{out};
  object.add("number", k.number);
  object.add("identity", k.identity);
  object.add("digest", to_hex(k.digest));
  object.add("prefix", k.prefix);
  object.add("lastFour", k.last_four);
  object.add("scope", to_string(k.scope));
  object.add("createdAt", k.created_at);
  object.add("expiresAt", k.expires_at);
  object.add("revokedAt", k.revoked_at);
  object.add("replacedBy", k.replaced_by);
  object.close();
}

result<key_record> decode_key_record(std::string_view json) {
  object_reader in(json,
                   {"number", "identity", "digest", "prefix", "lastFour", "scope", "createdAt", "expiresAt",
                    "revokedAt", "replacedBy"},
                   object_reader::unknown_members::refused);
  key_record k;
  k.number = static_cast<std::uint64_t>(in.id("number"));
  k.identity = static_cast<std::uint64_t>(in.id("identity"));
  k.digest = in.choice("digest", parse_digest, "must be 64 hexadecimal digits");
  k.prefix = in.string("prefix");
  k.last_four = in.string("lastFour");
  k.scope = in.choice("scope", parse_key_scope, "must be read or write");
  k.created_at = in.time("createdAt");
  k.expires_at = in.optional_time("expiresAt");
  k.revoked_at = in.optional_time("revokedAt");
  if (auto const number = in.optional_id("replacedBy")) k.replaced_by = static_cast<std::uint64_t>(*number);
  return in.finish(std::move(k));
}

void append_json(std::string& out, identity_record const& i) {
  json_object object{out};
  object.add("number", i.number);
  object.add("name", i.name);
  object.add("plan", i.plan);
  object.add("perMinute", i.per_minute);
  object.add("perDay", i.per_day);
  object.add("bannedUntil", i.banned_until);
  object.add("unbannedAt", i.unbanned_at);
  object.add("banChanges", i.ban_changes);
  if (i.quota_resets != 0) object.add("quotaResets", i.quota_resets);
  object.close();
}

result<identity_record> decode_identity_record(std::string_view json) {
  object_reader in(
      json, {"number", "name", "plan", "perMinute", "perDay", "bannedUntil", "unbannedAt", "banChanges", "quotaResets"},
      object_reader::unknown_members::refused);
  identity_record i;
  i.number = static_cast<std::uint64_t>(in.id("number"));
  i.name = in.string("name");
  i.plan = in.string("plan");
  i.per_minute = optional_quota<std::uint32_t>(in, "perMinute");
  i.per_day = optional_quota<std::uint64_t>(in, "perDay");
  i.banned_until = in.optional_time("bannedUntil");
  i.unbanned_at = in.optional_time("unbannedAt");
  i.ban_changes = count(in, "banChanges");
  i.quota_resets = static_cast<std::uint64_t>(in.optional_id("quotaResets").value_or(0));
  return in.finish(std::move(i));
}

void append_json(std::string& out, audit_entry const& e) {
  json_object object{out};
  object.add("sequence", e.sequence);
  object.add("at", e.at);
  object.add("actor", e.actor);
  object.add("action", e.action);
  object.add("key", e.key);
  object.add("detail", e.detail);
  object.close();
}

result<audit_entry> decode_audit_entry(std::string_view json) {
  object_reader in(json, {"sequence", "at", "actor", "action", "key", "detail"},
                   object_reader::unknown_members::refused);
  audit_entry e;
  e.sequence = static_cast<std::uint64_t>(in.id("sequence"));
  e.at = in.time("at");
  e.actor = in.string("actor");
  e.action = in.string("action");
  e.key = static_cast<std::uint64_t>(in.id("key"));
  e.detail = in.string("detail");
  return in.finish(std::move(e));
}

}  // namespace petstore
