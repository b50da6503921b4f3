// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <libpq-fe.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "address.hpp"
#include "petstore/names/lookup.hpp"

namespace petstore::storage::postgres {

struct end_of_connection {
  void operator()(PGconn* c) const noexcept { PQfinish(c); }
};
using owned_connection = std::unique_ptr<PGconn, end_of_connection>;

/// The hosts of the URI with their addresses; a host with several addresses occurs several times. While one name waits
/// for its name server, time is left for the other names, and for connecting. Throws std::runtime_error if there is
/// none.
boost::asio::awaitable<std::vector<host>> resolve(names::lookup&, address const&,
                                                  std::chrono::steady_clock::time_point deadline);

/// The same for a caller that may block. An answer that is too late for one attempt to connect is there for the next
/// one, so the attempts of a caller share one resolver. One thread at a time.
class blocking_resolver {
 public:
  explicit blocking_resolver(names::source s = names::ask_system) : names_(context_.get_executor(), std::move(s)) {}

  std::vector<host> resolve(address const&, std::chrono::steady_clock::time_point deadline);

 private:
  boost::asio::io_context context_{1};
  names::lookup names_;
};

/// One attempt to connect to one of several hosts within a deadline, in steps that do not block. When a host refuses,
/// libpq goes on to the next one. For a host that does not answer it would wait for ever. So each host has an equal
/// share of the time that is left for it and the hosts after it. When the share has passed, the attempt begins again
/// with the next host: the hosts before it have answered already.
///
/// With target_session_attrs=prefer-standby libpq asks all hosts a second time when none is a standby. So the attempt
/// begins again with all but the silent hosts, and a share is that of one among all.
///
///     [waits] --socket is ready: proceed; share has passed: skip_host--> [waits] … --> [made] or [failed]
///
/// Thread safety: one thread at a time.
class connect_attempt {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  /// The address must outlive the attempt.
  connect_attempt(address const&, std::vector<host>, time_point now, time_point deadline,
                  PGVerbosity = PQERRORS_DEFAULT);

  bool waits() const noexcept { return state_ == state::waits_to_read || state_ == state::waits_to_write; }
  bool waits_to_read() const noexcept { return state_ == state::waits_to_read; }
  bool is_made() const noexcept { return state_ == state::made; }
  int socket() const noexcept { return PQsocket(connection_.get()); }
  time_point due() const noexcept { return due_; }  ///< the end of the host's share

  void proceed(time_point now);
  void skip_host(time_point now);

  owned_connection take() noexcept { return std::move(connection_); }

  /// What libpq says of the failure; empty if no host answered.
  std::string message() const;
  /// The message, and how long each host that did not answer was waited for. Never empty.
  std::string why_not(std::string message) const;

 private:
  enum class state : std::uint8_t { waits_to_read, waits_to_write, made, failed };

  void begin(time_point now);
  void begin_turn(std::size_t first, time_point now);
  std::size_t find_in_turn(std::size_t first) const;
  host host_in_turn() const;

  address const& where_;
  std::vector<host> hosts_;  ///< that libpq was given
  time_point const deadline_;
  PGVerbosity const verbosity_;

  owned_connection connection_;
  state state_ = state::failed;
  host in_turn_;          ///< in libpq's words
  std::size_t turn_ = 0;  ///< its index
  time_point since_;      ///< when its turn began
  time_point due_;
  std::string answers_;  ///< what libpq said of the hosts before a host that was skipped
  std::string silent_;   ///< the hosts that were skipped, and how long each was waited for
};

}  // namespace petstore::storage::postgres
