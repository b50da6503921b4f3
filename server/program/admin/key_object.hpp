// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/describe/enum.hpp>
#include <cstdint>
#include <optional>

#include "petstore/json_object.hpp"
#include "petstore/key_record.hpp"

namespace petstore::program {

/// Whether a key works now.
enum class key_state : std::uint8_t { active, banned, expired, revoked };
BOOST_DESCRIBE_ENUM(key_state, active, banned, expired, revoked)

/// A key as the administration API shows it. Any thread.
struct key_object {
  key_record const& key;
  identity_record const& identity;
  std::optional<unix_ms> banned_until;  ///< by an operator or for strikes; nullopt: not banned now
  std::optional<unix_ms> last_used;     ///< nullopt: never
  unix_ms now;

  key_state state() const noexcept;
  /// Adds its members. One that has no value is null.
  void add_members(json_object&) const;
};

}  // namespace petstore::program
