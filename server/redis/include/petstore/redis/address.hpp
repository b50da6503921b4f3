// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "petstore/redis/error.hpp"

namespace petstore::redis {

/// A server: its host and its port.
struct node {
  std::string host;  ///< a name or an address, without brackets
  std::uint16_t port = 0;

  friend auto operator<=>(node const&, node const&) = default;
};

/// Returns host:port, with brackets if the host has colons.
std::string to_string(node const&);

/// How to reach the servers, and as which user. A plain value.
struct address {
  enum class topology : std::uint8_t {
    single,    ///< one server; if it is a node of a cluster, it is treated as `cluster`
    sentinel,  ///< `nodes` are sentinels, which know where the master is
    cluster,   ///< `nodes` are some of the nodes, which know the others
  };

  topology kind = topology::single;
  std::vector<node> nodes;  ///< exactly one for `single`, at least one otherwise
  std::string master_name;  ///< only for `sentinel`
  std::string user;         ///< empty: the server's default user
  std::string password;     ///< empty: none
  std::uint32_t database = 0;

  bool tls = false;         ///< for sentinels and servers
  std::string ca;           ///< file with the certificates to trust; empty: those of the system
  std::string certificate;  ///< file with the client's certificate chain; empty: none
  std::string key;          ///< file with its private key
  std::string server_name;  ///< the name in the server's certificate; empty: the host of the node

  friend bool operator==(address const&, address const&) = default;
};

/// Parses one of
///
///     redis://[[user][:password]@]host[:port][/database]
///     redis+sentinel://[[user][:password]@]host[:port],host[:port],…/master-name[/database]
///     redis+cluster://[[user][:password]@]host[:port],host[:port],…
///
/// or the same with rediss, for TLS; then also `?ca=FILE&cert=FILE&key=FILE&server_name=NAME`. The default port is
/// 6379, for sentinels 26379. An IPv6 address is in brackets. In the user, the password, the master's name and the
/// values, `%40` is `@`, and so on. User and password are for the servers; a sentinel gets them only if it asks for
/// them. An error is a sentence that repeats nothing of the address, since the address may contain a password.
result<address> parse_address(std::string_view);

/// Returns the address without user and password, for logs.
std::string to_string(address const&);

}  // namespace petstore::redis
