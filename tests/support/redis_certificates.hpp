// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/certificates.hpp"
#include "support/temporary_directory.hpp"

namespace petstore::tests {

/// A directory with the certificates of a redis-server and its client: ca.crt, and <name>.crt and <name>.key for each
/// that the authority has signed.
class redis_certificates {
 public:
  redis_certificates() { directory_.write("ca.crt", authority_.certificate()); }

  void sign(std::string const& name, std::string const& alternative_names) const {
    auto const signed_one = authority_.issue(alternative_names);
    directory_.write(name + ".crt", signed_one.certificate);
    directory_.write(name + ".key", signed_one.key);
  }
  /// Arguments of a redis-server that also listens with TLS, and requires client certificates. `server` must be signed.
  std::vector<std::string> server_arguments(std::uint16_t port) const {
    return {"--tls-port",       std::to_string(port), "--tls-cert-file", file("server.crt"),   "--tls-key-file",
            file("server.key"), "--tls-ca-cert-file", file("ca.crt"),    "--tls-auth-clients", "yes"};
  }
  /// The parameters after the `?` of an address. `client` must be signed.
  std::string client_parameters() const {
    return "ca=" + file("ca.crt") + "&cert=" + file("client.crt") + "&key=" + file("client.key");
  }
  std::string file(std::string const& name) const { return (directory_ / name).string(); }

 private:
  authority const authority_{"authority"};
  temporary_directory directory_;
};

}  // namespace petstore::tests
