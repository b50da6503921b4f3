// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "petstore/export.hpp"
#include "petstore/key_record.hpp"

/// The bodies of the administration API, which `decode_json` reads. It checks types; `to_command` checks ranges, and
/// `decide` everything else. An absent member of a patch changes nothing; null removes an optional value (RFC 7396).
namespace petstore {

/// The body that makes a key.
struct PETSTORE_EXPORT new_key {
  std::string name;                        ///< for people: `find_name_fault`
  std::string plan;                        ///< `free`, `pro`, `business`, `enterprise` or one of the configuration
  std::optional<key_scope> scope;          ///< nullopt: `write`
  std::optional<unix_ms> expires_at;       ///< nullopt: never
  std::optional<std::int64_t> per_minute;  ///< instead of the plan's number
  std::optional<std::int64_t> per_day;     ///< instead of the plan's number for a day
};
BOOST_DESCRIBE_STRUCT(new_key, (), (name, plan, scope, expires_at, per_minute, per_day))

/// The body that changes a key (JSON Merge Patch).
struct PETSTORE_EXPORT key_patch {
  std::optional<std::string> name;                        ///< of the identity
  std::optional<std::string> plan;                        ///< of the identity
  std::optional<std::optional<std::int64_t>> per_minute;  ///< null: the plan's number
  std::optional<std::optional<std::int64_t>> per_day;     ///< null: the plan's number for a day
  std::optional<key_scope> scope;                         ///< of this key
  std::optional<std::optional<unix_ms>> expires_at;       ///< null: never
};
BOOST_DESCRIBE_STRUCT(key_patch, (), (name, plan, per_minute, per_day, scope, expires_at))

/// The body that rotates a key.
struct PETSTORE_EXPORT key_rotation {
  std::optional<std::int64_t> grace;  ///< seconds for which the old key goes on working; nullopt: a day
};
BOOST_DESCRIBE_STRUCT(key_rotation, (), (grace))

/// The body that bans an identity.
struct PETSTORE_EXPORT key_ban {
  std::int64_t seconds = 0;  ///< the length of the ban
};
BOOST_DESCRIBE_STRUCT(key_ban, (), (seconds))

/// The longest grace period and the longest ban.
inline constexpr std::chrono::seconds key_period_max = std::chrono::hours{24 * 3650};

/// @{
/// The command that a body asks for. The digest of a new key is set afterwards (`set_key`). invalid_request for a
/// number outside its range; the message names every one.
PETSTORE_EXPORT result<create_key> to_command(new_key);
PETSTORE_EXPORT result<update_key> to_command(key_patch, std::uint64_t number, etag_condition);
PETSTORE_EXPORT result<rotate_key> to_command(key_rotation const&, std::uint64_t number, unix_ms now);
PETSTORE_EXPORT result<ban_identity> to_command(key_ban const&, std::uint64_t number, unix_ms now);
/// @}

}  // namespace petstore
