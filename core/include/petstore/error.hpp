// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/system/result.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "petstore/export.hpp"

namespace petstore {

/// Every way a request can fail, as clients see it. Each has one wire code and one status (see `describe`). A store
/// chooses among six: invalid_request, not_found, conflict, precondition_failed, and of itself internal and
/// unavailable.
enum class errc : std::uint8_t {
  invalid_request,         ///< a value that cannot be: a field, a parameter, a category that there is none of
  malformed_http,          ///< bytes that are no HTTP request
  unauthorized,            ///< no key, or none that is valid now
  forbidden,               ///< a key that may only read, and a write
  not_found,               ///< no such path, or no record of that id
  method_not_allowed,      ///< the path is there; Allow lists its methods
  request_timeout,         ///< the request took too long to arrive
  conflict,                ///< what is stored stands in the way: an animal not available, a name that is taken
  precondition_failed,     ///< If-Match does not hold: the record is another by now
  payload_too_large,       ///< the body is above its limit
  uri_too_long,            ///< the request line is above its limit
  unsupported_media_type,  ///< the body says that it is no JSON in UTF-8
  expectation_failed,      ///< Expect asks for something else than 100-continue
  rate_limited,            ///< a quota has too few tokens; `Retry-After`
  banned,                  ///< refusals were ignored, or an operator said so; `Retry-After`
  headers_too_large,       ///< the header fields are above their limit
  internal,                ///< a fault of ours: a damaged record, or a write of which nobody knows whether it was made
  not_implemented,         ///< a method, or a coding of the body, that this service never takes
  unavailable,             ///< nothing was done, and later it may work: full, gone, too much to do
  http_version_not_supported,  ///< neither HTTP/1.1 nor 1.0
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
