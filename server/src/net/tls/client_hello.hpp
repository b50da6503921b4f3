// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <string_view>

namespace petstore::server::tls {

/// The handshake waits for at most this much of a ClientHello. Today's have 300 to 2,000 bytes.
inline constexpr std::size_t client_hello_bytes_max = 16 * 1024;

/// Whether OpenSSL should now get these bytes: they are a complete ClientHello, in one TLS record or several (RFC 8446,
/// 5.1), or have `client_hello_bytes_max`, or cannot become a ClientHello. OpenSSL holds some 70 KB from the first byte
/// on, so a client that sends one byte and no second one would get that memory for nothing. Pure; any thread.
bool is_whole_client_hello(std::string_view bytes) noexcept;

}  // namespace petstore::server::tls
