// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/beast/http/fields.hpp>
#include <string_view>

#include "petstore/limits/each_header.hpp"
#include "petstore/limits/headers.hpp"
#include "petstore/limits/verdict.hpp"

namespace petstore::server {

/// Sets the rate-limit fields of a verdict in a response of Boost.Beast, or in any other fields of it, and erases those
/// that are there, Retry-After among them. Returns the quota that X-RateLimit-* describe. Any thread. Throws
/// std::bad_alloc.
///
/// This header belongs to the component `server`. A program that links `limits` and Boost.Beast alone sets the same
/// fields in a new response with
///
///     limits::for_each_header(verdict, dialect, [&](auto name, auto value) { response.set(name, value); });
template <class Allocator>
limits::resource set_rate_limit(boost::beast::http::basic_fields<Allocator>& fields, limits::verdict const& v,
                                limits::rate_limit_fields dialect = limits::rate_limit_fields::draft11) {
  for (std::string_view const name : {"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset",
                                      "X-RateLimit-Resource", "RateLimit-Policy", "RateLimit", "Retry-After"})
    fields.erase(name);
  return limits::for_each_header(v, dialect,
                                 [&](std::string_view name, std::string_view value) { fields.set(name, value); });
}

}  // namespace petstore::server
