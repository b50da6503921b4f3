// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "petstore/api_key.hpp"
#include "petstore/error.hpp"
#include "petstore/order.hpp"

namespace petstore {

enum class key_scope : std::uint8_t { read = 1, write = 2 };  // write includes read

std::string_view to_string(key_scope) noexcept;
std::optional<key_scope> parse_key_scope(std::string_view) noexcept;

/// One API key at rest. Ids are `k1`, `k2`, … in the order of creation and never reused.
struct key_record {
  std::uint64_t number = 0;    ///< the id without its `k`
  std::uint64_t identity = 0;  ///< the number of the first key of this identity
  sha256_digest digest{};
  std::string prefix;     ///< `ps_live_` or `ps_test_`
  std::string last_four;  ///< to recognise the key by
  key_scope scope = key_scope::write;
  unix_ms created_at{};
  std::optional<unix_ms> expires_at;  ///< also the end of a rotation's grace period
  std::optional<unix_ms> revoked_at;
  std::optional<std::uint64_t> replaced_by;  ///< the key that a rotation made

  friend bool operator==(key_record const&, key_record const&) = default;
};

/// Who is charged: all keys that rotation made of one.
struct identity_record {
  std::uint64_t number = 0;
  std::string name;
  std::string plan;                         ///< `free`, `pro`, `business`, `enterprise` or one of the configuration
  std::optional<std::uint32_t> per_minute;  ///< overrides the plan's number
  std::optional<std::uint64_t> per_day;
  std::optional<unix_ms> banned_until;  ///< an operator's ban
  std::optional<unix_ms> unbanned_at;   ///< the latest `unban`: lifts what began before it, also on a later start
  std::uint64_t ban_changes = 0;        ///< counts `ban` and `unban`, so that a server sees each one

  friend bool operator==(identity_record const&, identity_record const&) = default;
};

/// What `petstore keys …` asks for.
struct create_key {
  sha256_digest digest{};
  std::string prefix;
  std::string last_four;
  std::string name;
  std::string plan;
  std::optional<std::uint32_t> per_minute;
  std::optional<std::uint64_t> per_day;
  key_scope scope = key_scope::write;
  std::optional<unix_ms> expires_at;
};
struct rotate_key {
  std::uint64_t number = 0;
  sha256_digest digest{};  ///< of the new key
  std::string prefix;
  std::string last_four;
  unix_ms old_expires_at{};
};
struct revoke_key {
  std::uint64_t number = 0;
};
struct ban_identity {
  std::uint64_t number = 0;  ///< of any of its keys
  unix_ms until{};
};
struct unban_identity {
  std::uint64_t number = 0;
};
struct set_plan {
  std::uint64_t number = 0;
  std::string plan;
  std::optional<std::uint32_t> per_minute;  ///< replaces the overrides; absent removes them
  std::optional<std::uint64_t> per_day;
};
using key_command = std::variant<create_key, rotate_key, revoke_key, ban_identity, unban_identity, set_plan>;

/// A line of the audit log: who changed which key, when and how. Never a secret.
struct audit_entry {
  std::uint64_t sequence = 0;
  unix_ms at{};
  std::string actor;   ///< operating system user of the command line
  std::string action;  ///< `create`, `rotate`, `revoke`, `ban`, `unban`, `set-plan`
  std::uint64_t key = 0;
  std::string detail;  ///< one sentence

  friend bool operator==(audit_entry const&, audit_entry const&) = default;
};

/// What a command does to the records it concerns. Pure: the store reads the records, calls this in its transaction and
/// writes what comes back. Not found, already revoked, expired: an error with a sentence for the operator.
struct key_change {
  std::optional<key_record> changed;  ///< the key the command named
  std::optional<key_record> added;    ///< of create and rotate; its number is `next_number`
  identity_record identity;
  audit_entry entry;  ///< sequence is the store's to fill in
};
result<key_change> decide(key_command const&, std::optional<key_record> const& named,
                          std::optional<identity_record> const& identity, std::uint64_t next_number, unix_ms now,
                          std::string_view actor);

/// The number that a command names; nullopt for create_key.
std::optional<std::uint64_t> named_key(key_command const&) noexcept;

/// Everything a server needs to know of keys, as one consistent reading.
struct key_directory {
  std::uint64_t version = 0;  ///< grows with every change
  std::vector<key_record> keys;
  std::vector<identity_record> identities;
};

}  // namespace petstore
