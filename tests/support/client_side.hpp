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
  identity const* own = nullptr;  ///< shown when the server asks
  std::string protocols = {};     ///< ALPN, as it is sent: "\2h2\10http/1.1"
  int version_max = TLS1_3_VERSION;
  SSL_SESSION* session = nullptr;  ///< to be resumed
  std::string server_name = {};    ///< SNI
};

/// The client's side of an encrypted connection, without the connection. Believes every server.
class client_side {
 public:
  explicit client_side(client_wishes const& = {});

  /// What came from the server.
  void feed(std::string_view bytes);
  /// What is to be sent to it, once.
  std::string take_output();

  bool shake_hands();  ///< whether it is done; throws client_failure
  void encrypt(std::string_view bytes);
  std::string decrypt();  ///< all that there is; throws client_failure
  void say_end();
  bool has_heard_end() const;
  std::string certificate_of_server() const;  ///< a digest of it
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

/// The server broke the rules of TLS, or has sent an alert; in OpenSSL's words.
struct client_failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace petstore::tests
