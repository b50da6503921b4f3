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

/// The result of a look-up: a failure, or at least one address.
struct found {
  boost::system::error_code failure;
  std::vector<asio::ip::address> addresses;
};

/// Finds the addresses of a host. Blocks for as long as it takes; any thread.
using source = std::function<found(std::string const& host)>;

/// Uses getaddrinfo: the hosts file, name servers, or whatever the system is configured to use.
found ask_system(std::string const& host);

/// Looks up names within a deadline. getaddrinfo may take half a minute when a name server does not answer, and cannot
/// be interrupted. So each name is looked up by a thread of its own, which nothing joins: a caller stops waiting at its
/// deadline, and the process can end meanwhile. (Asio's resolver has one thread for all names of a context, and the end
/// of the context waits for it.) Callers that look up the same name share one look-up, so there are no more threads
/// than names.
///
/// Thread safety: all calls on the executor, which runs one function at a time. It must outlive the callers that wait.
class lookup {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  /// How long an answer that came too late for its callers waits for the next one. Clients that try again do so sooner.
  static constexpr std::chrono::seconds usual_answer_life{30};

  explicit lookup(asio::any_io_executor, source = ask_system, std::chrono::nanoseconds answer_life = usual_answer_life);

  /// Fails with `timed_out` at the deadline, and with `operation_aborted` soon after `close`. The look-up goes on after
  /// a failure. The next caller gets its answer, unless that is older than `answer_life`: then it asks anew, because
  /// addresses and name servers change.
  asio::awaitable<found> find(std::string host, time_point deadline);

  void close() noexcept { closed_ = true; }

 private:
  struct question;

  std::shared_ptr<question> ask(std::string const& host);

  asio::any_io_executor const executor_;
  source const source_;
  std::chrono::nanoseconds const answer_life_;
  std::map<std::string, std::shared_ptr<question>> under_way_;  ///< shared with their threads
  bool closed_ = false;
};

}  // namespace petstore::names
