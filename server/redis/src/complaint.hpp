// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string_view>

#include "petstore/redis/address.hpp"

namespace petstore::redis {

/// What an error reply means for the client. A plain value.
struct complaint {
  enum class kind : std::uint8_t {
    executed,       ///< the command failed while it ran; what it did before stays
    refused,        ///< the server did not begin, and would refuse it again now
    not_in_charge,  ///< refused, and another server may be in charge: this one loads, is a replica, or wants a login
    cluster_down,   ///< the cluster has no node for the slot
    no_script,      ///< the server needs the script's text
    moved,          ///< `slot` belongs to `target`
    ask,            ///< only this call should go to `target`
    try_again,      ///< the cluster moves the keys from one node to another
  };

  kind what = kind::executed;
  std::uint16_t slot = 0;
  node target;
};

/// `from` sent the error; a redirection without a host, or to `?`, means the same host.
complaint read_complaint(std::string_view error, node const& from);

}  // namespace petstore::redis
