// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Whom requests go to: what a URL says, and the addresses that its host has.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/load_shape.hpp"

namespace petstore::load {

/// What an http or https URL says (RFC 3986, RFC 9110 section 4.2).
struct target {
  bool is_tls = false;
  std::string host;  ///< a name or an address; one of IPv6 without its brackets
  std::uint16_t port = 0;
  std::string authority;  ///< for the field Host: with brackets, and the port where it is not the scheme's own
  std::string path;       ///< with the query; "/" where the URL has none

  /// Scheme and authority, as mistakes name it.
  std::string name() const;
  /// The whole of it, as reports name it; a path of "/" is left out.
  std::string url() const;
  bool operator==(target const&) const = default;
};

/// Takes `host:port` for `http://host:port`. User information and fragments are mistakes: neither is ever sent.
parsed<target> parse_target(std::string_view url);

/// An address with a port, as the kernel takes it.
struct address {
  sockaddr_storage storage{};
  socklen_t size = 0;

  bool is_loopback() const noexcept;
  std::string text() const;  ///< "127.0.0.1:8080", "[::1]:8080"
};

/// Asks the resolver, once and waiting for it. Where there is no address, the mistake says why.
parsed<std::vector<address>> resolve(target const&);

}  // namespace petstore::load
