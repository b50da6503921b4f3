// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <optional>
#include <span>
#include <string_view>

#include "petstore/server/address_range.hpp"

namespace petstore::server {

/// Converts from Asio's address.
raw_address to_bytes(boost::asio::ip::address const&);

/// Parses an address without zone, brackets or port.
std::optional<raw_address> parse_address(std::string_view) noexcept;

bool is_loopback(raw_address const&) noexcept;
bool is_in_any(std::span<address_range const>, raw_address const&) noexcept;

}  // namespace petstore::server
