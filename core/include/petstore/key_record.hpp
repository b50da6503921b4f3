// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/describe/enum.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "petstore/api_key.hpp"
#include "petstore/error.hpp"
#include "petstore/etag.hpp"
#include "petstore/export.hpp"
#include "petstore/order.hpp"

namespace petstore {

/// The permissions of a key. `write` includes `read`.
enum class key_scope : std::uint8_t { read = 1, write = 2 };
BOOST_DESCRIBE_ENUM(key_scope, read, write)

/// @{
/// Converts to `read` or `write`, and back; nullopt for any other text.
PETSTORE_EXPORT std::string_view to_string(key_scope) noexcept;
PETSTORE_EXPORT std::optional<key_scope> parse_key_scope(std::string_view) noexcept;
/// @}

/// @{
/// Converts the number of a key to its id, such as `k17`, and back; nullopt for any other text.
PETSTORE_EXPORT std::string key_id(std::uint64_t number);
PETSTORE_EXPORT std::optional<std::uint64_t> key_number(std::string_view id) noexcept;
/// @}

/// The stored record of one API key. Ids are `k1`, `k2`, … in the order of creation and never reused.
struct PETSTORE_EXPORT key_record {
  std::uint64_t number = 0;                  ///< the id without its `k`
  std::uint64_t identity = 0;                ///< the number of the first key of this identity
  sha256_digest digest{};                    ///< of the key as it is sent; the key itself is never stored
  std::string prefix;                        ///< `ps_live_` or `ps_test_`
  std::string last_four;                     ///< so that people can recognise the key
  key_scope scope = key_scope::write;        ///< what the key may do
  unix_ms created_at{};                      ///< when it was made
  std::optional<unix_ms> expires_at;         ///< also the end of a rotation's grace period
  std::optional<unix_ms> revoked_at;         ///< from then on the service does not know it; nullopt: it is not revoked
  std::optional<std::uint64_t> replaced_by;  ///< the new key of a rotation

  friend bool operator==(key_record const&, key_record const&) = default;
};

/// The plan that has no quotas of its own: a key that has it needs both quotas.
inline constexpr std::string_view enterprise_plan = "enterprise";

/// The customer who is charged: the owner of a key and of all keys that replaced it by rotation.
struct PETSTORE_EXPORT identity_record {
  std::uint64_t number = 0;                 ///< of its first key
  std::string name;                         ///< given by the operator; may be empty
  std::string plan;                         ///< `free`, `pro`, `business`, `enterprise` or one of the configuration
  std::optional<std::uint32_t> per_minute;  ///< a minute, in place of the plan's short window
  std::optional<std::uint64_t> per_day;     ///< a day, in place of the plan's long window
  std::optional<unix_ms> banned_until;      ///< an operator's ban
  /// The time of the latest `unban`, or of a `ban` that shortened the one before. Bans that began earlier are lifted,
  /// also after a restart; then `banned_until` applies.
  std::optional<unix_ms> unbanned_at;
  /// The number of the latest `ban` or `unban`, so that a server sees each one; 0: none. Numbers grow, and each is at
  /// least its time in milliseconds.
  std::uint64_t ban_changes = 0;
  std::uint64_t quota_resets = 0;  ///< the same of `reset-quota`: each begins new accounts on every server

  friend bool operator==(identity_record const&, identity_record const&) = default;
};

/// `petstore keys create`: a new key with its own identity.
struct PETSTORE_EXPORT create_key {
  sha256_digest digest{};                   ///< of the key as it is sent
  std::string prefix;                       ///< `ps_live_` or `ps_test_`
  std::string last_four;                    ///< so that people can recognise the key
  std::string name;                         ///< for people; may be empty
  std::string plan;                         ///< `free`, `pro`, `business`, `enterprise` or one of the configuration
  std::optional<std::uint32_t> per_minute;  ///< instead of the plan's number; `enterprise` needs both
  std::optional<std::uint64_t> per_day;     ///< instead of the plan's number for a day
  key_scope scope = key_scope::write;       ///< what the key may do
  std::optional<unix_ms> expires_at;        ///< nullopt: it does not expire
};
/// `petstore keys rotate`: a second key of the same identity; the first key ends after its grace period.
struct PETSTORE_EXPORT rotate_key {
  std::uint64_t number = 0;  ///< of the key that is replaced
  sha256_digest digest{};    ///< of the new key
  std::string prefix;        ///< `ps_live_` or `ps_test_`
  std::string last_four;     ///< so that people can recognise the new key
  unix_ms old_expires_at{};  ///< the end of the grace period
};
/// @{
/// Fills in the stored data of a new key (`generate_api_key`): its digest, prefix and last characters.
PETSTORE_EXPORT void set_key(create_key&, std::string_view key);
PETSTORE_EXPORT void set_key(rotate_key&, std::string_view key);
/// @}

/// `petstore keys revoke`: the key is refused from now on, permanently.
struct PETSTORE_EXPORT revoke_key {
  std::uint64_t number = 0;  ///< of the key
};
/// `petstore keys ban`: all keys of the identity are refused until that time.
struct PETSTORE_EXPORT ban_identity {
  std::uint64_t number = 0;  ///< of any of its keys
  unix_ms until{};           ///< by the wall clock
};
/// `petstore keys unban`: ends the ban of the identity, whether for strikes or by an operator.
struct PETSTORE_EXPORT unban_identity {
  std::uint64_t number = 0;  ///< of any of its keys
};
/// `petstore keys reset-quota`: the quotas of the identity are whole again from now on. Strikes, and a ban for them,
/// end; a ban by an operator does not.
struct PETSTORE_EXPORT reset_quota {
  std::uint64_t number = 0;  ///< of any of its keys
};
/// `petstore keys set-plan`: changes the plan of the identity. The used part of its quotas stays used.
struct PETSTORE_EXPORT set_plan {
  std::uint64_t number = 0;                 ///< of any of its keys
  std::string plan;                         ///< as in `create_key`
  std::optional<std::uint32_t> per_minute;  ///< replaces the overrides; absent removes them
  std::optional<std::uint64_t> per_day;     ///< absent removes that override, too
};
/// A change of single members of a key and its identity. An absent member changes nothing; an empty optional inside
/// removes the value.
struct PETSTORE_EXPORT update_key {
  std::uint64_t number = 0;                                ///< of the key
  std::optional<std::string> name;                         ///< of the identity
  std::optional<std::string> plan;                         ///< of the identity, as in `create_key`
  std::optional<std::optional<std::uint32_t>> per_minute;  ///< instead of the plan's number
  std::optional<std::optional<std::uint64_t>> per_day;     ///< instead of the plan's number for a day
  std::optional<key_scope> scope;                          ///< of this key
  std::optional<std::optional<unix_ms>> expires_at;        ///< of this key
  etag_condition condition;                                ///< on `tag_of` the records; otherwise precondition_failed
};
/// A change of keys by an operator.
using key_command =
    std::variant<create_key, rotate_key, revoke_key, ban_identity, unban_identity, reset_quota, set_plan, update_key>;

/// A line of the audit log: who changed which key, when and how. It never contains a secret.
struct PETSTORE_EXPORT audit_entry {
  std::uint64_t sequence = 0;  ///< from 1, in the order of the changes
  unix_ms at{};                ///< when it was done
  std::string actor;           ///< the operating system user of the command line, or the name of an admin token
  std::string action;          ///< `create`, `rotate`, `revoke`, `ban`, `unban`, `reset-quota`, `set-plan`, `update`
  std::uint64_t key = 0;       ///< the number of the key that was named or created
  std::string detail;          ///< one sentence

  friend bool operator==(audit_entry const&, audit_entry const&) = default;
};

/// The effect of a command on the stored records. Pure: the store reads the records, calls `decide` in its transaction
/// and writes the result. If the key does not exist, or has ended and the command needs one that works, the result is
/// an error with a sentence for the operator.
struct PETSTORE_EXPORT key_change {
  std::optional<key_record> changed;  ///< the key that the command named, if it is another one now
  std::optional<key_record> added;    ///< the new key of create and rotate; its number is `next_number`
  identity_record identity;           ///< as it is after the change
  audit_entry entry;                  ///< the store fills in its sequence
  bool replayed = false;              ///< nothing was done: `added` and `identity` are of an earlier creation
  bool unchanged = false;             ///< nothing is to be done or logged: everything is as the command wants it
};
/// Returns the effect of a command. `named` and `identity`: the records of the key that the command names, if they
/// exist. `next_number`: the number of a new key. `actor`: the user. Pure; any thread.
PETSTORE_EXPORT result<key_change> decide(key_command const&, std::optional<key_record> const& named,
                                          std::optional<identity_record> const& identity, std::uint64_t next_number,
                                          unix_ms now, std::string_view actor);

/// The entity tag of a key together with its identity. It changes with every change of one of them.
PETSTORE_EXPORT entity_tag tag_of(key_record const&, identity_record const&);

/// The number that a command names; nullopt for create_key.
PETSTORE_EXPORT std::optional<std::uint64_t> named_key(key_command const&) noexcept;

/// All data about keys that a server needs, read at one moment.
struct PETSTORE_EXPORT key_directory {
  std::uint64_t version = 0;                ///< increases with every change
  std::vector<key_record> keys;             ///< by ascending number, including revoked ones
  std::vector<identity_record> identities;  ///< by ascending number
};

}  // namespace petstore
