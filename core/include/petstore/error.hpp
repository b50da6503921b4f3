// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/system/result.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "petstore/export.hpp"

namespace petstore {

/// Every way a request can fail, as clients see it. Each has one wire code and one status (see `describe`).
enum class errc : std::uint8_t {
  invalid_request,
  malformed_http,
  unauthorized,
  forbidden,
  not_found,
  method_not_allowed,
  request_timeout,
  conflict,
  precondition_failed,
  payload_too_large,
  uri_too_long,
  unsupported_media_type,
  expectation_failed,
  rate_limited,
  banned,
  headers_too_large,
  internal,
  not_implemented,
  unavailable,
  http_version_not_supported,
};
/// How many of them there are.
inline constexpr std::size_t errc_count = 20;

/// The row of the one table that maps failures to answers.
struct PETSTORE_EXPORT error_description {
  std::string_view code;     ///< the `code` member
  unsigned status;           ///< the HTTP status and the `status` member
  std::string_view message;  ///< the sentence used when there is nothing more particular to say
};

/// Any thread; never fails.
PETSTORE_EXPORT error_description const& describe(errc) noexcept;

/// An expected failure: what the client is told (`code`, `message`) and what only the log may see (`cause`).
struct PETSTORE_EXPORT error {
  errc code = errc::internal;  ///< decides status and wire code
  std::string message;         ///< empty: the sentence of the table
  std::string cause;           ///< of a fault of ours; never sent
};

/// The error body of the contract: {"code":…,"message":…,"status":…}. Appends to `out`.
PETSTORE_EXPORT void append_error_json(std::string& out, errc, std::string_view message);

/// What `result::value()` does where there is none: throws std::runtime_error with code, message and cause.
[[noreturn]] PETSTORE_EXPORT void throw_exception_from_error(error const&, boost::source_location const&);

/// A value, or why there is none.
template <class T>
using result = boost::system::result<T, error>;

}  // namespace petstore
