// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "net/tls/handles.hpp"
#include "petstore/server/tls.hpp"

namespace petstore::server::tls {

/// Returns at least one certificate. Throws tls_error, also if only one of several is malformed.
std::vector<certificate_ptr> parse_certificates(std::string_view pem, tls_error::part);

/// Throws tls_error. Never prompts for a passphrase.
key_ptr parse_private_key(std::string_view pem);

/// Returns OpenSSL's last error of this thread, and clears its error queue.
std::string take_openssl_error();

}  // namespace petstore::server::tls
