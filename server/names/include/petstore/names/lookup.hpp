// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/system/error_code.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace petstore::names {

namespace asio = boost::asio;

/// What became of a look-up: a failure, or at least one address.
struct found {
  boost::system::error_code failure;
  std::vector<asio::ip::address> addresses;
};

/// Finds the addresses of a host. Blocks for as long as it takes; any thread.
using source = std::function<found(std::string const& host)>;

/// getaddrinfo: the hosts file, name servers, whatever the system is told to ask.
found ask_system(std::string const& host);

/// Looks up names within a deadline. getaddrinfo may take half a minute when a name server is silent, and nothing
/// interrupts it, so it has a thread of its own for each name, which nobody waits for: who does not want to wait any
/// longer goes, and so does the whole process. (Asio's resolver has one thread for all names of a context, and the
/// context's end waits for it.) A name is asked for once at a time, however often it is looked for meanwhile; so there
/// are no more threads than names.
///
/// Thread safety: on the executor, which runs on one thread. Outlives those who wait.
class lookup {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  explicit lookup(asio::any_io_executor, source = ask_system);

  /// Fails with `timed_out` at the deadline, and with `operation_aborted` soon after `close`. A question that was given
  /// up goes on, and its answer is there for who asks next.
  asio::awaitable<found> find(std::string host, time_point deadline);

  void close() noexcept { closed_ = true; }

 private:
  struct question;

  std::shared_ptr<question> ask(std::string const& host);

  asio::any_io_executor const executor_;
  source const source_;
  std::map<std::string, std::shared_ptr<question>> under_way_;  ///< shared with their threads
  bool closed_ = false;
};

}  // namespace petstore::names
