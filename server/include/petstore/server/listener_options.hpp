// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "petstore/export.hpp"
#include "petstore/server/address_range.hpp"
#include "petstore/server/handshake_budget.hpp"
#include "petstore/server/metrics.hpp"
#include "petstore/server/readiness.hpp"
#include "petstore/server/tls.hpp"

namespace petstore::server {

/// How connections reach a listener.
struct PETSTORE_EXPORT listener_options {
  /// Each connection begins with a header of the PROXY protocol (version 1 or 2), which says who the client is. A
  /// connection that does not come from one of the trusted proxies is closed at once.
  bool expects_proxy_header = false;
  std::vector<address_range> trusted_proxies;  ///< whose PROXY headers are believed; the same as the service's
  /// What connections are encrypted by; nullptr: they are not. A PROXY header comes before the handshake. Shared: a
  /// host keeps it to replace the certificate, listeners of any number may use it.
  std::shared_ptr<tls_context> tls = nullptr;
  /// Which handshakes may begin; the connections of others are closed before any cryptography. nullptr: all of them.
  /// Outlives the listener.
  handshake_budget* handshakes = nullptr;
  /// The acceptor's socket was open before this process and stays open after it (adopt_acceptors): so many listeners
  /// take connections from it, and what waits there when one stops is left to who comes next. 0: it is the listener's
  /// own.
  std::size_t sharers = 0;
  /// Where it is counted which connections are refused or let go, and why; nullptr: nowhere. Outlives the listener,
  /// whose thread alone writes to it.
  metrics_shard* counters = nullptr;
  /// While it is draining, every answer is the last one of its connection, as after `listener::begin_drain`; nullptr:
  /// only after that. Outlives the connections.
  readiness const* state = nullptr;
  /// Kept until the last connection is gone, of a listener that is destroyed without a stop too: who owns the handler,
  /// the budgets and the counters, say.
  std::shared_ptr<void const> owner = nullptr;
};

}  // namespace petstore::server
