// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string_view>

#include "petstore/redis/address.hpp"

namespace petstore::redis {

/// What an error reply wants of the client. A plain value.
struct complaint {
  enum class kind : std::uint8_t {
    executed,       ///< the command ran into the error; what it did before stands
    refused,        ///< the server did not begin, and would not now either
    not_in_charge,  ///< nor is it the one to ask: it loads, or follows a master, or does not know us any more
    cluster_down,   ///< the cluster has nobody for the slot
    no_script,      ///< it wants the text
    moved,          ///< `slot` belongs to `target`
    ask,            ///< this once, `target` is to be asked
    try_again,      ///< the keys are on their way from one node to another
  };

  kind what = kind::executed;
  std::uint16_t slot = 0;
  node target;
};

/// `from` sent it: a redirection without a host means the same host.
complaint read_complaint(std::string_view error, node const& from);

}  // namespace petstore::redis
