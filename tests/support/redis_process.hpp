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

/// A redis-server of the test's own, on free ports of 127.0.0.1 and in a directory of its own, that answers when the
/// constructor is done. It ends with the object, and with the test program however that ends. One thread.
///
///     [running] --kill()--> [dead] --start()--> [running]
///     [running] --freeze()--> [frozen] --thaw()--> [running]
class redis_process {
 public:
  enum class role : std::uint8_t { server, sentinel };

  /// `arguments`: as on the command line of redis-server, such as {"--requirepass", "secret"}.
  explicit redis_process(std::vector<std::string> arguments = {}, role = role::server);
  std::uint16_t port() const noexcept { return port_; }
  /// redis://127.0.0.1:port
  std::string address() const;
  std::filesystem::path const& directory() const noexcept { return directory_.path(); }

  /// What it answers to one command, on a connection of its own past any password: texts as they are, integers in
  /// digits, the elements of an array in a line each. Throws what it has against the command.
  std::string ask(std::vector<std::string> const& words) const;

  /// Whether a section of INFO has this.
  bool tells(std::string const& section, std::string_view what) const {
    return ask({"INFO", section}).find(what) != std::string::npos;
  }

  /// Of a sentinel: from now on 300 ms of silence are the death of that master, and no longer 30 s. For after it has been
  /// killed: before, a machine that is busy could pass for that.
  void notice_silence(std::string const& master) const {
    ask({"SENTINEL", "SET", master, "down-after-milliseconds", "300"});
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
  std::string password_;  ///< of the default user
  std::optional<child_process> process_;
};

}  // namespace petstore::tests
