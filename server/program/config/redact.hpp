// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>

/// What may be shown of texts that may contain secrets.
namespace petstore::program {

/// The text without keys (petstore/key_trace.hpp), nor the password of an address: `redis://user:***@host`,
/// `…?password=***`. Of what is no proper address nothing is shown from its first colon to its last @.
std::string redact_secrets(std::string_view text);

}  // namespace petstore::program
