// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/child_process.hpp"
#include "support/temporary_directory.hpp"

namespace petstore::tests {

/// A redis-server for a test, on a free port of 127.0.0.1 and in a temporary directory. It answers when the constructor
/// returns. It ends with the object, and with the test program even if that is killed. One thread.
///
///     [running] --kill()--> [dead] --start()--> [running]
///     [running] --freeze()--> [frozen] --thaw()--> [running]
class redis_process {
 public:
  enum class role : std::uint8_t { server, sentinel };

  /// `arguments` are those of redis-server, such as {"--requirepass", "secret"}.
  explicit redis_process(std::vector<std::string> arguments = {}, role = role::server);
  std::uint16_t port() const noexcept { return port_; }
  /// redis://127.0.0.1:port
  std::string address() const;
  std::filesystem::path const& directory() const noexcept { return directory_.path(); }

  /// Sends one command on a new connection, with the password if there is one. Returns texts unchanged, integers as
  /// digits, and each element of an array on a line. Throws the error that the server answers.
  std::string ask(std::vector<std::string> const& words) const;

  /// Whether a section of INFO contains `what`.
  bool tells(std::string const& section, std::string_view what) const {
    return ask({"INFO", section}).find(what) != std::string::npos;
  }

  /// For a sentinel: from now on it takes that master for dead after a silence of 300 ms instead of 30 s. Call it after
  /// the master was killed; before, a busy machine could look like a dead master. A replica that is silent for as long
  /// is not chosen either, so after a failover without a choice the next one begins 20 s later, not after 6 minutes.
  void notice_silence(std::string const& master) const {
    ask({"SENTINEL", "SET", master, "failover-timeout", "10000", "down-after-milliseconds", "300"});
  }

  void kill() { process_.reset(); }
  void start();
  void freeze() { process_->send_signal(SIGSTOP); }
  void thaw() { process_->send_signal(SIGCONT); }

 private:
  temporary_directory directory_;
  role const role_;
  std::uint16_t const port_;
  std::vector<std::string> words_;
  std::string password_;  ///< the default user's
  std::optional<child_process> process_;
};

}  // namespace petstore::tests
