// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/key_json.hpp"

#include <limits>

#include "append_integer.hpp"
#include "object_reader.hpp"
#include "petstore/json.hpp"

namespace petstore {
namespace {

/// Appends members one after the other, and leaves out what is absent.
class object_writer {
 public:
  explicit object_writer(std::string& out) : out_(out) { out_.push_back('{'); }
  void close() { out_.push_back('}'); }

  void integer(std::string_view name, std::uint64_t value) {
    begin(name);
    append_integer(out_, value);
  }
  void string(std::string_view name, std::string_view value) {
    begin(name);
    append_json_string(out_, value);
  }
  void time(std::string_view name, unix_ms value) {
    begin(name);
    out_.push_back('"');
    append_rfc3339(out_, value);
    out_.push_back('"');
  }
  void digest(std::string_view name, sha256_digest const& value) {
    constexpr char hex[] = "0123456789abcdef";
    begin(name);
    out_.push_back('"');
    for (unsigned char byte : value) out_.append({hex[byte >> 4], hex[byte & 15]});
    out_.push_back('"');
  }
  template <class T>
  void integer(std::string_view name, std::optional<T> const& value) {
    if (value) integer(name, std::uint64_t{*value});
  }
  void time(std::string_view name, std::optional<unix_ms> const& value) {
    if (value) time(name, *value);
  }

 private:
  void begin(std::string_view name) {
    if (out_.back() != '{') out_.push_back(',');
    out_.append("\"").append(name).append("\":");
  }

  std::string& out_;
};

std::optional<sha256_digest> parse_digest(std::string_view text) noexcept {
  constexpr std::string_view hex = "0123456789abcdef";
  sha256_digest digest;
  if (text.size() != 2 * digest.size()) return std::nullopt;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    auto const high = hex.find(text[2 * i]);
    auto const low = hex.find(text[2 * i + 1]);
    if (high == hex.npos || low == hex.npos) return std::nullopt;
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
  object_writer object(out);
  object.integer("number", k.number);
  object.integer("identity", k.identity);
  object.digest("digest", k.digest);
  object.string("prefix", k.prefix);
  object.string("lastFour", k.last_four);
  object.string("scope", to_string(k.scope));
  object.time("createdAt", k.created_at);
  object.time("expiresAt", k.expires_at);
  object.time("revokedAt", k.revoked_at);
  object.integer("replacedBy", k.replaced_by);
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
  object_writer object(out);
  object.integer("number", i.number);
  object.string("name", i.name);
  object.string("plan", i.plan);
  object.integer("perMinute", i.per_minute);
  object.integer("perDay", i.per_day);
  object.time("bannedUntil", i.banned_until);
  object.time("unbannedAt", i.unbanned_at);
  object.integer("banChanges", i.ban_changes);
  object.close();
}

result<identity_record> decode_identity_record(std::string_view json) {
  object_reader in(json, {"number", "name", "plan", "perMinute", "perDay", "bannedUntil", "unbannedAt", "banChanges"},
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
  return in.finish(std::move(i));
}

void append_json(std::string& out, audit_entry const& e) {
  object_writer object(out);
  object.integer("sequence", e.sequence);
  object.time("at", e.at);
  object.string("actor", e.actor);
  object.string("action", e.action);
  object.integer("key", e.key);
  object.string("detail", e.detail);
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
