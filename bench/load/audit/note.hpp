// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// What the audit keeps of an answer: numbers only, read from the fields when the answer comes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "client/answer.hpp"

namespace petstore::load {

inline constexpr std::uint8_t no_resource = 0xff;
inline constexpr std::int64_t not_said = -1;
/// Quotas that are told apart; readings of more are left out.
inline constexpr std::size_t audited_resources_max = 8;

/// What RateLimit and RateLimit-Policy say of one quota (draft-ietf-httpapi-ratelimit-headers-11).
struct policy_reading {
  std::int64_t limit = not_said;      ///< q
  std::int64_t remaining = not_said;  ///< r; not said of a quota that RateLimit does not list
  std::int32_t window_s = -1;         ///< w
  std::int32_t more_in_s = -1;        ///< t
  std::uint8_t resource = no_resource;
};

struct note {
  std::int64_t sent = 0;      ///< nanoseconds of the steady clock
  std::int64_t received = 0;  ///< likewise
  std::int64_t limit = not_said;
  std::int64_t remaining = not_said;
  std::int64_t reset = not_said;  ///< Unix time
  std::int64_t date = not_said;   ///< Unix time
  std::array<policy_reading, 2> policies;
  std::int32_t retry_after = -1;
  std::uint16_t key = 0;
  std::uint16_t target = 0;
  std::uint16_t status = 0;             ///< 0: no answer
  std::uint8_t resource = no_resource;  ///< of limit, remaining and reset
  bool banned = false;
};
static_assert(sizeof(note) <= 128);

/// Reads the fields of an answer into the note. `resources` are the names seen so far; new ones are added. What cannot
/// be read counts as not said. No allocation but for new names.
void read_fields(note&, answer_view const&, std::vector<std::string>& resources);

}  // namespace petstore::load
