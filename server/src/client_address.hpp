// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "petstore/server/request.hpp"
#include "petstore/server/service.hpp"

namespace petstore::server {

/// An IPv6 address, or an IPv4 one as ::ffff:a.b.c.d.
using raw_address = std::array<unsigned char, 16>;

/// An address as text, without zone, brackets or port.
std::optional<raw_address> parse_address(std::string_view) noexcept;

bool is_loopback(raw_address const&) noexcept;
bool is_in_any(std::span<address_range const>, raw_address const&) noexcept;

/// Who is at the other end, behind the proxies that are trusted: the rightmost address of all X-Forwarded-For lines
/// that is not a trusted proxy's. What stands left of it was written by somebody untrusted and is not looked at; an
/// element that is no address ends the search, and the last good one counts.
raw_address find_client_address(request const&, std::span<address_range const> trusted_proxies) noexcept;

}  // namespace petstore::server
