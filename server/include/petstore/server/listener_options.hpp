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

/// The options of a listener.
struct PETSTORE_EXPORT listener_options {
  /// Each connection begins with a header of the PROXY protocol (version 1 or 2), which has the address of the client.
  /// A connection that does not come from one of the trusted proxies is closed at once.
  bool expects_proxy_header = false;
  std::vector<address_range> trusted_proxies;  ///< whose PROXY headers are believed; the same as the service's
  /// Encrypts the connections; nullptr: no TLS. A PROXY header comes before the handshake. Shared: the host keeps it to
  /// replace the certificate, and any number of listeners may use it.
  std::shared_ptr<tls_context> tls = nullptr;
  /// Decides which handshakes may begin; a refused connection is closed before any cryptography. nullptr: all may
  /// begin. Must outlive the listener.
  handshake_budget* handshakes = nullptr;
  /// The number of listeners that share the acceptor's socket, if the socket was open before this process and stays
  /// open after it (adopt_acceptors). Connections that wait in its queue when a listener stops are left to the next
  /// process. 0: the listener owns its socket.
  std::size_t sharers = 0;
  /// Counts the connections that are refused or closed, by reason; nullptr: nothing is counted. Must outlive the
  /// listener. Only the listener's thread writes to it.
  metrics_shard* counters = nullptr;
  /// While this state is draining, each connection ends when it has answered what has arrived, as after
  /// `listener::begin_drain`. nullptr: only `begin_drain` has that effect. Must outlive the connections.
  readiness const* state = nullptr;
  /// Kept until the last connection has ended, even if the listener is destroyed without a stop. For example, it owns
  /// the handler, the budgets and the counters.
  std::shared_ptr<void const> owner = nullptr;
};

}  // namespace petstore::server
