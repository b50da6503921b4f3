// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/child_process.hpp"

namespace petstore::tests {

/// A PostgreSQL server for one test program: on a socket in a temporary directory, and on a port of the loopback
/// address. It begins with a copy of a cluster that is made once for all tests of this machine. It ends with the test,
/// even if that is killed. PostgreSQL does not run as root; if the test does, the server runs as postgres or nobody.
class postgres_server {
 public:
  /// Why no server can be started; empty if one can.
  static std::string find_missing();
  /// The path of a program of PostgreSQL.
  static std::filesystem::path program(std::string_view name);
  /// A server for all cases of a program.
  static postgres_server& shared();

  /// Settings as for `postgres -c`.
  explicit postgres_server(std::vector<std::string> settings = {});
  ~postgres_server();
  postgres_server(postgres_server const&) = delete;
  postgres_server& operator=(postgres_server const&) = delete;

  /// The URI of an empty database; each call returns another one.
  std::string create_database();
  std::string uri(std::string_view database) const;          ///< by the socket
  std::string uri_by_port(std::string_view database) const;  ///< by TCP
  std::uint16_t port() const noexcept { return port_; }

  /// `kill` ends it like a crash; `start` starts it again on the same port.
  void kill() { process_.reset(); }
  void start();

  /// Runs one statement in a connection of its own. Returns the first column of the first row, if there is one.
  static std::string run(std::string const& uri, std::string const& sql);

 private:
  std::filesystem::path const home_;
  std::vector<std::string> const settings_;
  std::uint16_t port_ = 0;
  std::optional<child_process> process_;
  int databases_ = 0;
};

}  // namespace petstore::tests
