// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// What the audit keeps of an answer: only numbers, read from the header fields when the answer arrives.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "client/answer.hpp"

namespace petstore::load {

inline constexpr std::uint8_t no_resource = 0xff;
inline constexpr std::int64_t not_said = -1;
/// The number of quotas that are distinguished; further ones are ignored.
inline constexpr std::size_t audited_resources_max = 8;

/// What RateLimit and RateLimit-Policy say about one quota (draft-ietf-httpapi-ratelimit-headers-11).
struct policy_reading {
  std::int64_t limit = not_said;      ///< q
  std::int64_t remaining = not_said;  ///< r; not_said if RateLimit does not list the quota
  std::int32_t window_s = -1;         ///< w
  std::int32_t more_in_s = -1;        ///< t
  std::uint8_t resource = no_resource;
};

struct note {
  std::int64_t sent = 0;      ///< nanoseconds of the steady clock
  std::int64_t received = 0;  ///< nanoseconds of the steady clock
  std::int64_t limit = not_said;
  std::int64_t remaining = not_said;
  std::int64_t reset = not_said;  ///< Unix time
  std::int64_t date = not_said;   ///< Unix time
  std::array<policy_reading, 2> policies;
  std::int32_t retry_after = -1;  ///< in seconds, also if a date was said
  std::uint16_t key = 0;
  std::uint16_t target = 0;
  std::uint16_t status = 0;             ///< 0: no answer
  std::uint8_t resource = no_resource;  ///< the quota of limit, remaining and reset
  bool banned = false;
};
static_assert(sizeof(note) <= 128);

/// Reads the fields of an answer into the note. `received` is the client's time, used if the answer has no Date.
/// `resources` are the names seen so far; new ones are added. Malformed
/// fields count as not said. Only new names allocate.
void read_fields(note&, answer_view const&, std::chrono::sys_seconds received, std::vector<std::string>& resources);

}  // namespace petstore::load
