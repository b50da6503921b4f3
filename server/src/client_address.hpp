// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "petstore/server/request.hpp"
#include "petstore/server/service.hpp"

namespace petstore::server {

/// An IPv6 address, or an IPv4 one as ::ffff:a.b.c.d.
using raw_address = std::array<unsigned char, 16>;

/// An address as text, without zone, brackets or port.
std::optional<raw_address> parse_address(std::string_view) noexcept;

/// The inverse.
std::string to_text(raw_address const&);

bool is_loopback(raw_address const&) noexcept;
bool is_in_any(std::span<address_range const>, raw_address const&) noexcept;

/// Who is at the other end, behind the proxies that are trusted: the rightmost address of all lines of the field that
/// they set (X-Forwarded-For, or Forwarded) that is not a trusted proxy's. What stands left of it was written by
/// somebody untrusted and is not looked at; an element that is no address ends the search, and the last good one
/// counts. The other one of the two fields is never looked at: proxies hand on what they do not set as the client sent
/// it.
raw_address find_client_address(request const&, service_options const&) noexcept;

}  // namespace petstore::server
