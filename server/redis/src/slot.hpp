// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string_view>

namespace petstore::redis {

inline constexpr std::uint16_t slot_count = 16384;

/// Returns the slot of a key in a cluster: CRC16 (XMODEM) of the part between its first { and the next }, or of the
/// whole key if that part is missing or empty.
/// https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/
std::uint16_t slot_of(std::string_view key) noexcept;

}  // namespace petstore::redis
