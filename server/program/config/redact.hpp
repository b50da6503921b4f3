// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>

/// Removes secrets from texts that are shown.
namespace petstore::program {

/// Returns the text without API keys (petstore/key_trace.hpp), private keys, and the password of an address:
/// `redis://user:***@host`, `…?password=***`. A malformed address loses everything from its first colon to its last @.
std::string redact_secrets(std::string_view text);

/// The same for a text that is an address and nothing else. A password in its query may contain spaces.
std::string redact_address(std::string_view text);

/// Returns the address without its query, which may authorise whoever sends it: `https://host/path?***`.
std::string without_query(std::string_view url);

}  // namespace petstore::program
