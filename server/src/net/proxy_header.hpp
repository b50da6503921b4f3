// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "net/address.hpp"

namespace petstore::server {

/// Longer headers are refused. The addresses need 107 bytes in version 1 and 52 in version 2. The rest is for
/// extensions (a certificate's names, a load balancer's ids), which are all ignored.
inline constexpr std::size_t proxy_header_bytes_max = 2048;

/// The header that a proxy sends at the beginning of a connection, in HAProxy's PROXY protocol: version 1 (a line of
/// text) or 2 (binary).
struct proxy_header {
  enum class progress : std::uint8_t {
    unfinished,  ///< the bytes may become a header
    malformed,   ///< the bytes cannot become a header
    complete,
  };

  progress state = progress::unfinished;
  std::size_t size = 0;  ///< of the header; the client's first byte follows it
  /// The client's address. It is missing when the connection is the proxy's own (LOCAL: a health check), or when the
  /// proxy does not know the address or it is not an IP address (UNKNOWN, UNSPEC, a Unix socket). Then the peer's
  /// address counts.
  std::optional<raw_address> client;
};

/// Parses the beginning of a connection; `bytes` are all bytes so far. The result does not depend on how the bytes were
/// cut: it is `unfinished` until it is `complete` or `malformed`, and does not change afterwards. Ports, the
/// destination address and extensions are skipped; a checksum among them is not verified. Any thread.
proxy_header parse_proxy_header(std::string_view bytes) noexcept;

}  // namespace petstore::server
