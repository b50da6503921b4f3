// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string_view>

#include "petstore/server/request.hpp"

/// The request-target (RFC 9112, 3.2), and the authority in it or in Host. Any thread.
namespace petstore::server::http {

enum class target_form : std::uint8_t { origin, absolute, asterisk, malformed };

struct request_target {
  target_form form = target_form::malformed;
  std::string_view authority;  ///< of an absolute-form
  std::string_view path;       ///< not decoded; an empty path in an absolute-form means `/`, or `*` for OPTIONS
  std::string_view query;      ///< not decoded, without the `?`
  bool has_query = false;
};

/// The authority-form is only for CONNECT, and malformed here.
request_target parse_request_target(std::string_view target, method) noexcept;

/// host [ ":" port ], where the host is a registered name, an IPv4 address, or an IPv6 address in brackets; never
/// empty, and without user information.
bool is_valid_authority(std::string_view) noexcept;

}  // namespace petstore::server::http
