// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <string_view>

#include "net/address.hpp"

/// What proxies write of their clients, one element each, the nearest proxy's last. Any thread.
namespace petstore::server {

/// Takes the last element off the value of an X-Forwarded-For field.
std::string_view take_last_of_list(std::string_view& value) noexcept;
/// The same of a Forwarded field (RFC 7239), where commas may stand within quotes. Quotes are looked for from the right
/// too, so that no quote which somebody untrusted has opened further left swallows what a proxy wrote behind it. With
/// an escaped quote that may find another element than a reader from the left; such an element has no address.
std::string_view take_last_of_forwarded(std::string_view& value) noexcept;

/// `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:4711`; the port is not looked at.
std::optional<raw_address> parse_node(std::string_view) noexcept;
/// The address that an element of Forwarded has for `for`. None when that is not there exactly once, `unknown` or a
/// name of the proxy's own (`_hidden`).
std::optional<raw_address> parse_forwarded_for(std::string_view element) noexcept;

}  // namespace petstore::server
