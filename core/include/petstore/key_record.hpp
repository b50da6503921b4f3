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
#include "petstore/export.hpp"
#include "petstore/order.hpp"

namespace petstore {

/// What a key may do. `write` includes `read`.
enum class key_scope : std::uint8_t { read = 1, write = 2 };

/// @{
/// `read` or `write`, and back. nullopt for any other text.
PETSTORE_EXPORT std::string_view to_string(key_scope) noexcept;
PETSTORE_EXPORT std::optional<key_scope> parse_key_scope(std::string_view) noexcept;
/// @}

/// One API key at rest. Ids are `k1`, `k2`, … in the order of creation and never reused.
struct PETSTORE_EXPORT key_record {
  std::uint64_t number = 0;                  ///< the id without its `k`
  std::uint64_t identity = 0;                ///< the number of the first key of this identity
  sha256_digest digest{};                    ///< of the key as it is sent; the key itself is kept nowhere
  std::string prefix;                        ///< `ps_live_` or `ps_test_`
  std::string last_four;                     ///< to recognise the key by
  key_scope scope = key_scope::write;        ///< what the key may do
  unix_ms created_at{};                      ///< when it was made
  std::optional<unix_ms> expires_at;         ///< also the end of a rotation's grace period
  std::optional<unix_ms> revoked_at;         ///< from then on it is unknown to the service; nullopt: it is not revoked
  std::optional<std::uint64_t> replaced_by;  ///< the key that a rotation made

  friend bool operator==(key_record const&, key_record const&) = default;
};

/// Who is charged: all keys that rotation made of one.
struct PETSTORE_EXPORT identity_record {
  std::uint64_t number = 0;                 ///< of its first key
  std::string name;                         ///< what the operator called it; may be empty
  std::string plan;                         ///< `free`, `pro`, `business`, `enterprise` or one of the configuration
  std::optional<std::uint32_t> per_minute;  ///< overrides the plan's number
  std::optional<std::uint64_t> per_day;     ///< overrides the plan's number of a day
  std::optional<unix_ms> banned_until;      ///< an operator's ban
  std::optional<unix_ms> unbanned_at;       ///< the latest `unban`: lifts what began before it, also on a later start
  std::uint64_t ban_changes = 0;            ///< counts `ban` and `unban`, so that a server sees each one

  friend bool operator==(identity_record const&, identity_record const&) = default;
};

/// What `petstore keys …` asks for.
struct PETSTORE_EXPORT create_key {
  sha256_digest digest{};                   ///< of the key as it is sent
  std::string prefix;                       ///< `ps_live_` or `ps_test_`
  std::string last_four;                    ///< to recognise the key by
  std::string name;                         ///< for people; may be empty
  std::string plan;                         ///< `free`, `pro`, `business`, `enterprise` or one of the configuration
  std::optional<std::uint32_t> per_minute;  ///< instead of the plan's number; `enterprise` needs both
  std::optional<std::uint64_t> per_day;     ///< instead of the plan's number of a day
  key_scope scope = key_scope::write;       ///< what the key may do
  std::optional<unix_ms> expires_at;        ///< nullopt: it does not expire
};
/// `petstore keys rotate`: a second key of the same identity; the first ends when its grace period does.
struct PETSTORE_EXPORT rotate_key {
  std::uint64_t number = 0;  ///< of the key that is replaced
  sha256_digest digest{};    ///< of the new key
  std::string prefix;        ///< `ps_live_` or `ps_test_`
  std::string last_four;     ///< to recognise the new key by
  unix_ms old_expires_at{};  ///< the end of the grace period
};
/// @{
/// Fills in what is kept of a key that is made (`generate_api_key`): its digest, and by what people know it again.
PETSTORE_EXPORT void set_key(create_key&, std::string_view key);
PETSTORE_EXPORT void set_key(rotate_key&, std::string_view key);
/// @}

/// `petstore keys revoke`: that one key is refused from now on, for good.
struct PETSTORE_EXPORT revoke_key {
  std::uint64_t number = 0;  ///< of the key
};
/// `petstore keys ban`: the identity is refused until then, with all of its keys.
struct PETSTORE_EXPORT ban_identity {
  std::uint64_t number = 0;  ///< of any of its keys
  unix_ms until{};           ///< by the wall clock
};
/// `petstore keys unban`: ends the ban of the identity, whoever imposed it.
struct PETSTORE_EXPORT unban_identity {
  std::uint64_t number = 0;  ///< of any of its keys
};
/// `petstore keys set-plan`: another plan for the identity. What was used of its quotas stays used.
struct PETSTORE_EXPORT set_plan {
  std::uint64_t number = 0;                 ///< of any of its keys
  std::string plan;                         ///< as in `create_key`
  std::optional<std::uint32_t> per_minute;  ///< replaces the overrides; absent removes them
  std::optional<std::uint64_t> per_day;     ///< absent removes that override, too
};
/// One change that an operator asks for.
using key_command = std::variant<create_key, rotate_key, revoke_key, ban_identity, unban_identity, set_plan>;

/// A line of the audit log: who changed which key, when and how. Never a secret.
struct PETSTORE_EXPORT audit_entry {
  std::uint64_t sequence = 0;  ///< from 1, in the order of the changes
  unix_ms at{};                ///< when it was done
  std::string actor;           ///< operating system user of the command line
  std::string action;          ///< `create`, `rotate`, `revoke`, `ban`, `unban`, `set-plan`
  std::uint64_t key = 0;       ///< the number of the key that was named or made
  std::string detail;          ///< one sentence

  friend bool operator==(audit_entry const&, audit_entry const&) = default;
};

/// What a command does to the records it concerns. Pure: the store reads the records, calls this in its transaction and
/// writes what comes back. Not found, already revoked, expired: an error with a sentence for the operator.
struct PETSTORE_EXPORT key_change {
  std::optional<key_record> changed;  ///< the key the command named
  std::optional<key_record> added;    ///< of create and rotate; its number is `next_number`
  identity_record identity;           ///< as it is after the change
  audit_entry entry;                  ///< sequence is the store's to fill in
};
/// See `key_change`. `named` and `identity`: the records of the key that the command names, as far as there are any;
/// `next_number`: of a key that is made; `actor`: who asks. Pure; any thread.
PETSTORE_EXPORT result<key_change> decide(key_command const&, std::optional<key_record> const& named,
                                          std::optional<identity_record> const& identity, std::uint64_t next_number,
                                          unix_ms now, std::string_view actor);

/// The number that a command names; nullopt for create_key.
PETSTORE_EXPORT std::optional<std::uint64_t> named_key(key_command const&) noexcept;

/// Everything a server needs to know of keys, as one consistent reading.
struct PETSTORE_EXPORT key_directory {
  std::uint64_t version = 0;                ///< grows with every change
  std::vector<key_record> keys;             ///< by ascending number, revoked ones included
  std::vector<identity_record> identities;  ///< by ascending number
};

}  // namespace petstore
