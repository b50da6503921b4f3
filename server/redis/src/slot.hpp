// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string_view>

namespace petstore::redis {

inline constexpr std::uint16_t slot_count = 16384;

/// The slot of a cluster to which a key belongs: CRC16 (XMODEM) of what stands between its first { and the next }, when
/// that is not empty, else of all of it. https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/
std::uint16_t slot_of(std::string_view key) noexcept;

}  // namespace petstore::redis
