// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "petstore/redis/error.hpp"

namespace petstore::redis {

/// Where a server listens.
struct node {
  std::string host;  ///< a name or an address, without brackets
  std::uint16_t port = 0;

  friend auto operator<=>(node const&, node const&) = default;
};

/// host:port, with brackets where the host has colons.
std::string to_string(node const&);

/// How to reach what keeps the data, and as whom. A plain value.
struct address {
  enum class topology : std::uint8_t {
    single,    ///< one server; when it turns out to be a node of a cluster, it is treated as `cluster`
    sentinel,  ///< `nodes` are sentinels, which know where the master is
    cluster,   ///< `nodes` are some of the nodes, which know the others
  };

  topology kind = topology::single;
  std::vector<node> nodes;  ///< one of a single server, at least one otherwise
  std::string master_name;  ///< of sentinels
  std::string user;         ///< empty: the server's default user
  std::string password;     ///< empty: none
  std::uint32_t database = 0;

  bool tls = false;         ///< sentinels and servers alike
  std::string ca;           ///< file of the certificates to trust; empty: those of the system
  std::string certificate;  ///< file of the client's chain; empty: none
  std::string key;          ///< file of its private key
  std::string server_name;  ///< whom the server's certificate must name; empty: the host connected to

  friend bool operator==(address const&, address const&) = default;
};

/// Reads one of
///
///     redis://[[user][:password]@]host[:port][/database]
///     redis+sentinel://[[user][:password]@]host[:port],host[:port],…/master-name[/database]
///     redis+cluster://[[user][:password]@]host[:port],host[:port],…
///
/// or the same with rediss, for TLS; then also `?ca=FILE&cert=FILE&key=FILE&server_name=NAME`. The port is 6379 unless
/// given, that of a sentinel 26379. An address of IPv6 stands in brackets. In user, password, master's name and values
/// `%40` is `@`, and so on. User and password are the servers'; a sentinel is told them when it asks. What is wrong is
/// said in a sentence that repeats nothing of the address, since it may hold a password.
result<address> parse_address(std::string_view);

/// The address without user and password, for a log.
std::string to_string(address const&);

}  // namespace petstore::redis
