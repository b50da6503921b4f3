// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <string>
#include <string_view>

namespace petstore::load {

/// The TLS settings of all connections of a run. TLS 1.2 at least. Every connection makes a full handshake, since a
/// resumed one would not show what a new client costs.
///
/// Thread safety: it does not change after construction, and threads may share OpenSSL's context.
class tls_settings {
 public:
  struct wanted {
    bool insecure = false;  ///< trust every certificate
    std::string ca_file;    ///< a PEM file of authorities to trust instead of the machine's
  };

  /// Throws std::runtime_error with a sentence if the file cannot be read or has no certificate.
  explicit tls_settings(wanted const&);

  SSL_CTX* context() const noexcept { return context_.get(); }
  bool is_insecure() const noexcept { return is_insecure_; }

 private:
  struct free_context {
    void operator()(SSL_CTX* context) const noexcept { SSL_CTX_free(context); }
  };
  std::unique_ptr<SSL_CTX, free_context> context_;
  bool is_insecure_;
};

struct free_session {
  void operator()(SSL* session) const noexcept { SSL_free(session); }
};
using tls_session = std::unique_ptr<SSL, free_session>;

/// A client's TLS session over this socket, before its handshake. `host` is sent as SNI if it is a name (RFC 6066
/// section 3), and the certificate must be valid for it. Throws std::runtime_error if OpenSSL has no memory.
tls_session begin_tls(tls_settings const&, int socket, std::string const& host);

/// Says why the last call on this session failed, and clears OpenSSL's error queue.
std::string tls_mistake(SSL const*);

}  // namespace petstore::load
