// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>

/// What may be shown of texts that may contain secrets.
namespace petstore::program {

/// Appends the text with everything that looks like an API key cut down to its prefix, percent-encoded or not:
/// `/v1/pets/ps_live_***`.
void append_without_keys(std::string& out, std::string_view text);

/// Also without the password of an address: `redis://user:***@host`, `…?password=***`.
std::string redact_secrets(std::string_view text);

}  // namespace petstore::program
