// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <mutex>

#include "net/tls/handles.hpp"
#include "net/tls/ticket_keys.hpp"
#include "petstore/server/tls.hpp"

namespace petstore::server {

/// The part of a context that connections share. They hold it because OpenSSL asks for the keys of tickets as long as
/// there are handshakes.
struct tls_context::impl {
  explicit impl(tls_credentials const&);

  void replace(tls_credentials const&);
  /// Makes the server's side of a new connection, with the current credentials. Throws std::bad_alloc.
  tls::ssl_ptr begin() const;

  struct generation {
    tls::ssl_context_ptr context;
    std::chrono::system_clock::time_point valid_from;
    std::chrono::system_clock::time_point expires_at;
  };
  generation make(tls_credentials const&);

  tls::ticket_keys tickets;
  std::mutex mutable mutex;
  generation current;  ///< under the mutex
};

}  // namespace petstore::server
