// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "storage/temporary_directory.hpp"

namespace petstore::tests {

/// An authority, and what it has signed: <name>.crt and <name>.key.
class authority {
 public:
  authority() { run("req -x509 -subj /CN=authority -keyout ca.key -out ca.crt -days 2 " + fresh_key); }

  void sign(std::string const& name, std::string const& alternative_names) {
    std::ofstream{directory_ / "names"} << "subjectAltName=" << alternative_names << '\n';
    run("req -subj /CN=" + name + " -keyout " + name + ".key -out " + name + ".csr " + fresh_key);
    run("x509 -req -in " + name + ".csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile names -out " + name +
        ".crt");
  }
  /// For a redis-server that also listens with TLS, and asks whoever comes for a certificate. `server` is signed.
  std::vector<std::string> server_arguments(std::uint16_t port) const {
    return {"--tls-port",       std::to_string(port), "--tls-cert-file", file("server.crt"),   "--tls-key-file",
            file("server.key"), "--tls-ca-cert-file", file("ca.crt"),    "--tls-auth-clients", "yes"};
  }
  /// What follows the `?` of an address. `client` is signed.
  std::string client_parameters() const {
    return "ca=" + file("ca.crt") + "&cert=" + file("client.crt") + "&key=" + file("client.key");
  }
  std::string file(std::string const& name) const { return (directory_ / name).string(); }

 private:
  inline static std::string const fresh_key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";

  void run(std::string const& what) const {
    auto const line = "cd " + directory_.path().string() + " && openssl " + what + " 2>log";
    if (std::system(line.c_str()) != 0) throw std::runtime_error("failed: " + line);
  }

  temporary_directory directory_;
};

}  // namespace petstore::tests
