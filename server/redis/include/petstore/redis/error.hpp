// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/assert/source_location.hpp>
#include <boost/system/result.hpp>
#include <string>
#include <system_error>

namespace petstore::redis {

/// Why a call brought no value. Each has a sentence: `make_error_code(errc).message()`.
enum class errc {
  bad_address = 1,  ///< an address that cannot be parsed, or a file it names that cannot be used
  not_connected,    ///< there is no connection to the server in charge; nothing was sent
  queue_full,       ///< a limit of what may wait or be under way is reached; nothing was sent
  not_sent,         ///< the deadline passed, or the connection broke, before the first byte was sent
  refused,          ///< the server said that it did not do it: LOADING, READONLY, OOM, NOPERM, …
  server_error,     ///< any other error of the server; a script may have done a part of its work
  timed_out,        ///< sent, and no answer by the deadline
  connection_lost,  ///< sent, and the connection ended before the answer
  bad_reply,        ///< what came was no reply of the protocol, or larger than the limit
  closed,           ///< the client was closed; what had been sent may have been executed
};

std::error_category const& category() noexcept;
std::error_code make_error_code(errc) noexcept;

/// Whether the server certainly did nothing: such a call may be made again without doing anything twice.
bool is_surely_not_executed(errc) noexcept;

/// What went wrong, and the particulars: the server's own words, the node, the cause. Never a password.
struct failure {
  errc code = errc::server_error;
  std::string detail;
};

/// The sentence of the code, and the detail behind it.
std::string to_string(failure const&);

/// What `result::value()` throws: a std::system_error.
[[noreturn]] void throw_exception_from_error(failure const&, boost::source_location const&);

template <class T>
using result = boost::system::result<T, failure>;

}  // namespace petstore::redis

template <>
struct std::is_error_code_enum<petstore::redis::errc> : std::true_type {};
