// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "net/tls/handles.hpp"
#include "petstore/server/tls.hpp"

namespace petstore::server::tls {

/// At least one; throws tls_error, also when one of several is spoilt.
std::vector<certificate_ptr> parse_certificates(std::string_view pem, tls_error::part);

/// Throws tls_error. Asks nobody for a passphrase.
key_ptr parse_private_key(std::string_view pem);

/// What OpenSSL had to say last on this thread, of which it forgets everything.
std::string take_openssl_error();

}  // namespace petstore::server::tls
