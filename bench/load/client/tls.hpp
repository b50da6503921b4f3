// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <string>
#include <string_view>

namespace petstore::load {

/// What is believed, for all connections of a run. TLS 1.2 at least; every connection makes a full handshake, since
/// what a resumed one saves is not what a new client pays.
///
/// Thread safety: after construction const, and OpenSSL's context may be shared by threads.
class tls_settings {
 public:
  struct wanted {
    bool insecure = false;  ///< believe any certificate
    std::string ca_file;    ///< believe these authorities, in PEM, instead of the machine's
  };

  /// Throws std::runtime_error, with a sentence, when the file cannot be read or holds no certificate.
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

/// A client's session over this socket, not yet begun. `host` goes into SNI where it is a name (RFC 6066 section 3),
/// and the certificate must be of it. Throws std::runtime_error where OpenSSL has no memory.
tls_session begin_tls(tls_settings const&, int socket, std::string const& host);

/// Why the last call on this session failed, in words; empties OpenSSL's queue of errors.
std::string tls_mistake(SSL const*);

}  // namespace petstore::load
