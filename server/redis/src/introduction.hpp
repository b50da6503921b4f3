// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <string>

#include "channel.hpp"
#include "petstore/redis/address.hpp"
#include "petstore/redis/error.hpp"

namespace petstore::redis {

/// What a server says when it is greeted. Empty: a server before version 6 does not say.
struct introduction {
  std::string version;
  std::string mode;  ///< standalone, cluster or sentinel
  std::string role;  ///< master or replica
};

/// Greets, says who we are, chooses the database. In RESP2, since hiredis 0.14 reads nothing later. What the server has
/// against it is errc::refused, in its words.
asio::awaitable<result<introduction>> introduce(channel&, address const&, std::string name,
                                                channel::time_point deadline);

/// The `AUTH` of an address; empty when it has no password.
std::vector<std::string> credentials_of(address const&);

}  // namespace petstore::redis
