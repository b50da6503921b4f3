// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace petstore::quota {

/// An error with which Redis refuses or ends a script, and what an operator can do about it.
struct redis_fault {
  std::string_view sign;  ///< a part of the error's text
  std::string_view remedy;
  bool is_of_one_key = false;  ///< it comes from the value of the key, so other keys do not meet it
};

inline constexpr std::string_view foreign_value_remedy =
    "Another program or a newer version of this one writes to the same database: give the quotas of one store a "
    "database "
    "of their own, and update all nodes.";
inline constexpr std::string_view right_remedy =
    "The user of Redis lacks a right: docs/cluster.md lists those that nodes need.";

inline constexpr std::array<redis_fault, 11> redis_faults{{
    {"OOM ", "Redis has reached maxmemory: give it more memory, and keep maxmemory-policy noeviction."},
    {"READONLY ", "This server is a replica: name its master, or its sentinels with redis+sentinel://."},
    {"MISCONF ", "Redis cannot write to its disk: its own log says why."},
    {"NOREPLICAS ", "Redis has fewer replicas than its min-replicas-to-write."},
    {"BUSY ", "A script of another program blocks Redis: SCRIPT KILL ends it."},
    {"WRONGTYPE ", foreign_value_remedy, true},
    {"PETSTORE ", foreign_value_remedy, true},
    {"'unpack'", foreign_value_remedy, true},
    {"NOPERM ", right_remedy},
    {"executing the script can't", right_remedy},
    {"ACL failure", right_remedy},
}};

/// The number of the fault in the table above; the size of the table for any other error.
constexpr std::size_t find_fault(std::string_view error) noexcept {
  auto const has_sign = [error](redis_fault const& f) { return error.find(f.sign) != std::string_view::npos; };
  return static_cast<std::size_t>(std::ranges::find_if(redis_faults, has_sign) - redis_faults.begin());
}

constexpr bool is_of_one_key(std::string_view error) noexcept {
  auto const number = find_fault(error);
  return number < redis_faults.size() && redis_faults[number].is_of_one_key;
}

/// The error, and its remedy if there is one.
inline std::string explain(std::string_view error) {
  std::string text{error};
  auto const number = find_fault(error);
  if (number < redis_faults.size()) text.append(" ").append(redis_faults[number].remedy);
  return text;
}

}  // namespace petstore::quota
