// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The target of requests: the parts of a URL, and the addresses of its host.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/load_shape.hpp"

namespace petstore::load {

/// The parts of an http or https URL (RFC 3986, RFC 9110 section 4.2).
struct target {
  bool is_tls = false;
  std::string host;  ///< a name or an address; an IPv6 address has no brackets
  std::uint16_t port = 0;
  std::string authority;  ///< for the field Host: with brackets, and with the port if it is not the scheme's default
  std::string path;       ///< with the query; "/" if the URL has none

  /// Scheme and authority, for error messages.
  std::string name() const;
  /// The whole URL, for reports; a path of "/" is left out.
  std::string url() const;
  bool operator==(target const&) const = default;
};

/// `host:port` means `http://host:port`. User information and fragments are mistakes, since neither is ever sent.
parsed<target> parse_target(std::string_view url);

/// An address with a port, in the kernel's format.
struct address {
  sockaddr_storage storage{};
  socklen_t size = 0;

  bool is_loopback() const noexcept;
  std::string text() const;  ///< "127.0.0.1:8080", "[::1]:8080"
};

/// Resolves the host once; blocks. If there is no address, the mistake says why.
parsed<std::vector<address>> resolve(target const&);

}  // namespace petstore::load
