// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <optional>
#include <string_view>

#include "net/address.hpp"

/// Parses the fields in which proxies name their clients: one element for each proxy, the nearest one last. Any thread.
namespace petstore::server {

/// Takes the last element off the value of an X-Forwarded-For field.
std::string_view take_last_of_list(std::string_view& value) noexcept;
/// The same for a Forwarded field (RFC 7239), where commas may be within quotes. It searches for quotes from the right,
/// too, so that a quote that an untrusted sender has opened further left does not hide the elements that a proxy
/// appended. With an escaped quote the result may differ from that of a reader from the left; such an element has no
/// address.
std::string_view take_last_of_forwarded(std::string_view& value) noexcept;

/// Parses `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:4711`; the port is ignored.
std::optional<raw_address> parse_node(std::string_view) noexcept;
/// Returns the address of `for` in an element of Forwarded; nullopt unless `for` is there exactly once, or if it is
/// `unknown` or a name the proxy made up (`_hidden`).
std::optional<raw_address> parse_forwarded_for(std::string_view element) noexcept;

}  // namespace petstore::server
