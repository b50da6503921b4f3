// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/assert/source_location.hpp>
#include <boost/system/result.hpp>
#include <string>
#include <system_error>

namespace petstore::redis {

/// Why a call failed. Each value has a sentence: `make_error_code(errc).message()`.
enum class errc {
  bad_address = 1,  ///< an address that cannot be parsed, or a file it names that cannot be used
  not_connected,    ///< there is no connection to the server in charge; nothing was sent
  queue_full,       ///< a limit of waiting calls or of calls under way is reached; nothing was sent
  not_sent,         ///< the deadline passed, or the connection broke, before the first byte was sent
  refused,          ///< the server said that it did not execute the call: LOADING, READONLY, OOM, NOPERM, …
  server_error,     ///< any other error of the server; a script may have done a part of its work
  timed_out,        ///< the call was sent, but no answer came by the deadline
  connection_lost,  ///< the call was sent, but the connection ended before the answer
  bad_reply,        ///< the bytes that came are not a reply of the protocol, or exceed a limit
  closed,           ///< the client was closed; a call that was sent may have been executed
};

std::error_category const& category() noexcept;
std::error_code make_error_code(errc) noexcept;

/// Whether the server certainly did not execute the call. It is safe to repeat such a call.
bool is_surely_not_executed(errc) noexcept;

/// An error and its details: the server's own words, the node, the cause. It never contains a password.
struct failure {
  errc code = errc::server_error;
  std::string detail;
};

/// Returns the sentence of the code, and then the detail.
std::string to_string(failure const&);

/// Throws std::system_error, for `result::value()`.
[[noreturn]] void throw_exception_from_error(failure const&, boost::source_location const&);

template <class T>
using result = boost::system::result<T, failure>;

}  // namespace petstore::redis

template <>
struct std::is_error_code_enum<petstore::redis::errc> : std::true_type {};
