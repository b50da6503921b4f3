// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/beast/http/verb.hpp>
#include <cstdint>
#include <ostream>  // for verb.hpp, which does not include it (Boost 1.81)
#include <string_view>

#include "petstore/export.hpp"
#include "petstore/server/address_range.hpp"
#include "petstore/server/header_fields.hpp"

namespace petstore::server {

/// Beast's verbs. A request has one of GET, HEAD, POST, PUT, PATCH, DELETE and OPTIONS; any other method is answered
/// 405 or 501 before a request exists.
using method = boost::beast::http::verb;

/// One complete request: head and body. It consists of views into its connection's buffers, valid until it is answered.
struct PETSTORE_EXPORT request {
  server::method method = method::get;  ///< what is asked for
  std::string_view target;              ///< as sent: origin-form, or the path and query of an absolute-form
  std::string_view path;                ///< target before `?`, not decoded
  std::string_view query;               ///< target after `?`, not decoded
  bool http_1_0 = false;                ///< otherwise 1.1; any other version was answered 505
  header_fields fields;                 ///< of the head; without a chunked body's trailers
  std::string_view body;                ///< complete, without chunk framing
  bool has_body = false;                ///< a Content-Length above 0 or a chunked body, even an empty one
  bool body_too_large = false;          ///< a chunked body that passed the limit; `body` does not have what was read
  std::string_view request_id;          ///< the client's X-Request-Id if it is usable, otherwise a new id; never empty
  /// The address that the connection's PROXY header names as its client; without one, that of the other end of the
  /// connection. IPv4 is mapped into IPv6.
  raw_address peer{};

  /// The value of the first field with that name, or an empty view with a null pointer.
  std::string_view find(known_field f) const noexcept { return fields.find(f); }
  /// The same for any name.
  std::string_view find(std::string_view name) const noexcept { return fields.find(name); }
  /// The number of fields with that name. Names are compared without regard to case.
  std::size_t count(known_field f) const noexcept { return fields.count(f); }
  /// The same for any name.
  std::size_t count(std::string_view name) const noexcept { return fields.count(name); }
};

}  // namespace petstore::server
