// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/describe/enum.hpp>
#include <boost/system/result.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "petstore/enumeration.hpp"
#include "petstore/export.hpp"

namespace petstore {

/// Every way a request can fail, as clients see it. Each has one wire code and one status (see `describe`). A store
/// returns six of them: invalid_request, not_found, conflict and precondition_failed for requests, internal and
/// unavailable for its own failures.
enum class errc : std::uint8_t {
  invalid_request,             ///< an invalid value: a field, a parameter, an unknown category
  malformed_http,              ///< bytes that are not an HTTP request
  unauthorized,                ///< no key, or no valid one
  forbidden,                   ///< a write with a key that may only read
  not_found,                   ///< no such path, or no record with that id
  method_not_allowed,          ///< the path exists; Allow lists its methods
  request_timeout,             ///< the request took too long to arrive
  conflict,                    ///< the stored data prevents it: an animal not available, a name already used
  precondition_failed,         ///< If-Match failed: the record has changed
  payload_too_large,           ///< the body is above its limit
  uri_too_long,                ///< the request line is above its limit
  unsupported_media_type,      ///< the type or the coding of the body is not accepted
  expectation_failed,          ///< Expect requires something other than 100-continue
  rate_limited,                ///< a quota has too few tokens; `Retry-After`
  too_many_in_flight,          ///< as many requests of the key as may be are in flight; `Retry-After`
  banned,                      ///< refusals were ignored, or an operator has banned the caller; `Retry-After`
  headers_too_large,           ///< the header fields are above their limit
  internal,                    ///< our fault: a damaged record, or a write with an unknown outcome
  not_implemented,             ///< a method, or a coding of the body, that this service does not implement
  unavailable,                 ///< nothing was done, and a retry may succeed: full, unreachable, overloaded
  http_version_not_supported,  ///< neither HTTP/1.1 nor 1.0
};
BOOST_DESCRIBE_ENUM(errc, invalid_request, malformed_http, unauthorized, forbidden, not_found, method_not_allowed,
                    request_timeout, conflict, precondition_failed, payload_too_large, uri_too_long,
                    unsupported_media_type, expectation_failed, rate_limited, too_many_in_flight, banned,
                    headers_too_large, internal, not_implemented, unavailable, http_version_not_supported)
/// The number of error codes.
inline constexpr std::size_t errc_count = enumerators<errc>.size();

/// One row of the table that maps failures to answers.
struct PETSTORE_EXPORT error_description {
  std::string_view code;     ///< the `code` member
  unsigned status;           ///< the HTTP status and the `status` member
  std::string_view message;  ///< the sentence used when there is no more specific one
};

/// The row of an error code. Any thread; never fails.
PETSTORE_EXPORT error_description const& describe(errc) noexcept;

/// An expected failure. `code` and `message` are for the client, `cause` only for the log.
struct PETSTORE_EXPORT error {
  errc code = errc::internal;  ///< decides status and wire code
  std::string message;         ///< empty: the sentence of the table
  std::string cause;           ///< the cause of an internal fault; never sent
};

/// Appends the error body of the contract to `out`: {"code":…,"message":…,"status":…}.
PETSTORE_EXPORT void append_error_json(std::string& out, errc, std::string_view message);

/// Called by `result::value()` if there is no value: throws std::runtime_error with code, message and cause.
[[noreturn]] PETSTORE_EXPORT void throw_exception_from_error(error const&, boost::source_location const&);

/// A value, or the error that prevented it.
template <class T>
using result = boost::system::result<T, error>;

}  // namespace petstore
