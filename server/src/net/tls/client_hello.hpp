// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <string_view>

namespace petstore::server::tls {

/// As much of a ClientHello is waited for. One of today is 300 to 2,000 bytes.
inline constexpr std::size_t client_hello_bytes_max = 16 * 1024;

/// Whether these bytes are all that there is to wait for before OpenSSL looks at them: a ClientHello that is whole, in
/// one TLS record or several (RFC 8446, 5.1), as much as `client_hello_bytes_max`, or what cannot become one. OpenSSL
/// holds some 70 KB from the first byte on, which a client gets for nothing when it sends no second one. Pure; any
/// thread.
bool is_whole_client_hello(std::string_view bytes) noexcept;

}  // namespace petstore::server::tls
