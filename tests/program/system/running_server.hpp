// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "program/system/petstore_process.hpp"
#include "support/eventually.hpp"
#include "support/test_client.hpp"

namespace petstore::tests {

/// `petstore serve` on free ports, accepting connections.
class running_server {
 public:
  explicit running_server(std::vector<std::string> const& flags, std::vector<std::string> const& variables = {})
      : process_(petstore_command(line_of(flags), variables)) {
    bool const is_encrypted = std::ranges::find(flags, "--tls-cert") != flags.end();
    public_port_ = port_of(process_.read_line(),
                           is_encrypted ? "listening on https://127.0.0.1:" : "listening on http://127.0.0.1:");
    admin_port_ = port_of(process_.read_line(), "admin on http://127.0.0.1:");
    bool const demo = std::ranges::find(flags, "--demo") != flags.end();
    if (demo) demo_key_ = process_.read_line().substr(std::string("demo key ").size());
  }

  std::uint16_t port() const { return public_port_; }
  std::uint16_t admin_port() const { return admin_port_; }
  std::string const& demo_key() const { return demo_key_; }
  child_process& process() { return process_; }

  /// SIGTERM, and the exit code it leads to.
  int stop(int signal = 15) {
    process_.send_signal(signal);
    return process_.wait();
  }

 private:
  static std::vector<std::string> line_of(std::vector<std::string> const& flags) {
    std::vector<std::string> line{"serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"};
    if (std::ranges::find(flags, "--threads") == flags.end()) line.insert(line.end(), {"--threads", "4"});
    line.insert(line.end(), flags.begin(), flags.end());
    return line;
  }

  static std::uint16_t port_of(std::string const& line, std::string const& expected) {
    if (!line.starts_with(expected)) throw std::runtime_error("unexpected line: " + line);
    return static_cast<std::uint16_t>(std::stoi(line.substr(expected.size())));
  }

  child_process process_;
  std::uint16_t public_port_ = 0;
  std::uint16_t admin_port_ = 0;
  std::string demo_key_;
};

/// A key made by the command line in a store on disk.
inline std::string create_key(std::string const& store, std::vector<std::string> const& flags) {
  std::vector<std::string> line{"keys", "create", "--store", store};
  line.insert(line.end(), flags.begin(), flags.end());
  auto const done = run_petstore(line);
  if (done.code != 0) throw std::runtime_error("keys create failed: " + done.err);
  return done.out.substr(0, done.out.find('\n'));
}

}  // namespace petstore::tests
