// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <openssl/ssl.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support/certificates.hpp"

namespace petstore::tests {

struct client_wishes {
  identity const* own = nullptr;  ///< the client certificate, sent if the server requests it
  std::string protocols = {};     ///< ALPN, in its wire format: "\2h2\10http/1.1"
  int version_max = TLS1_3_VERSION;
  SSL_SESSION* session = nullptr;  ///< the session to resume
  std::string server_name = {};    ///< SNI
};

/// The client's side of a TLS connection, without the socket. It trusts every server.
class client_side {
 public:
  explicit client_side(client_wishes const& = {});

  /// Takes bytes from the server.
  void feed(std::string_view bytes);
  /// Returns the bytes to send to the server, and forgets them.
  std::string take_output();

  bool shake_hands();  ///< continues the handshake; returns whether it is done; throws client_failure
  void encrypt(std::string_view bytes);
  std::string decrypt();  ///< everything that can be decrypted now; throws client_failure
  void say_end();
  bool has_heard_end() const;
  std::string certificate_of_server() const;  ///< the digest of the certificate
  bool is_done() const { return SSL_is_init_finished(ssl_.get()) == 1; }
  SSL* ssl() const { return ssl_.get(); }

 private:
  struct freed {
    void operator()(SSL* s) const noexcept { SSL_free(s); }
    void operator()(SSL_CTX* c) const noexcept { SSL_CTX_free(c); }
  };
  std::unique_ptr<SSL_CTX, freed> context_;
  std::unique_ptr<SSL, freed> ssl_;
};

/// The server violated TLS, or sent an alert. The text is OpenSSL's.
struct client_failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace petstore::tests
