// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "slot.hpp"

#include <boost/crc.hpp>

namespace petstore::redis {
namespace {

constexpr std::string_view hashed_part(std::string_view key) noexcept {
  auto const open = key.find('{');
  if (open == std::string_view::npos) return key;
  auto const close = key.find('}', open + 1);
  if (close == std::string_view::npos || close == open + 1) return key;
  return key.substr(open + 1, close - open - 1);
}

}  // namespace

std::uint16_t slot_of(std::string_view key) noexcept {
  auto const hashed = hashed_part(key);
  boost::crc_xmodem_t crc;
  crc.process_bytes(hashed.data(), hashed.size());
  return crc.checksum() % slot_count;
}

}  // namespace petstore::redis
