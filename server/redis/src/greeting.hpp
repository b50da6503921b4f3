// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "channel.hpp"
#include "petstore/redis/address.hpp"
#include "petstore/redis/error.hpp"

namespace petstore::redis {

/// What a server answers to the greeting. All members are empty for a server that does not know HELLO (before version
/// 6).
struct greeting_answer {
  std::string version;
  std::string mode;  ///< standalone, cluster or sentinel
  std::string role;  ///< master or replica
};

/// Sends the greeting with user, password and name, and selects the database. It uses RESP2, since hiredis 0.14 reads
/// nothing later. If the server refuses, the failure is errc::refused with the server's words.
asio::awaitable<result<greeting_answer>> send_greeting(channel&, address const&, std::string name,
                                                       channel::time_point deadline);

/// Returns the words of the AUTH command; empty if the address has no password.
std::vector<std::string> credentials_of(address const&);

}  // namespace petstore::redis
