// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "net/address.hpp"

namespace petstore::server {

/// Longer ones are refused: what says where a connection comes from takes 107 bytes in version 1 and 52 in version 2;
/// the rest is for extensions (a certificate's names, a load balancer's ids), none of which is looked at.
inline constexpr std::size_t proxy_header_bytes_max = 2048;

/// What a proxy says of a connection before anything else, in the PROXY protocol of HAProxy, version 1 (a line of text)
/// or 2 (binary).
struct proxy_header {
  enum class progress : std::uint8_t {
    unfinished,  ///< the bytes may become a header
    malformed,   ///< they cannot
    complete,
  };

  progress state = progress::unfinished;
  std::size_t size = 0;  ///< of the header; the client's first byte comes behind it
  /// The client's address. None when the connection is the proxy's own (LOCAL: a health check), or when the proxy does
  /// not know or the client has no such address (UNKNOWN, UNSPEC, a Unix socket): then who connected counts.
  std::optional<raw_address> client;
};

/// Reads the beginning of a connection: all bytes so far. What it says of a header does not depend on how the bytes
/// were cut: it is `unfinished` until it is `complete` or `malformed`, and then stays so. Ports, the address that was
/// connected to and extensions are skipped; a checksum among them is not verified. Any thread.
proxy_header parse_proxy_header(std::string_view bytes) noexcept;

}  // namespace petstore::server
