// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "petstore/error.hpp"
#include "petstore/server/request.hpp"
#include "petstore/server/response.hpp"
#include "petstore/server/service_options.hpp"

/// How people who do not know the paths of the service find its documentation. Any thread.
namespace petstore::server {

/// A path at which people look for the documentation, although it is elsewhere: it redirects them.
enum class documentation_redirect : std::uint8_t {
  none,
  front,          ///< `/`
  documentation,  ///< `/docs/`
  description,    ///< `/openapi.json`
};

documentation_redirect find_documentation_redirect(std::string_view path) noexcept;

/// Redirects to the documentation or to the OpenAPI document. At `/` it redirects only browsers; for others there is
/// nothing: the error says where the documentation is.
result<void> redirect_to_documentation(documentation_redirect, request const&, service_options const&, response&);

/// The sentence about the documentation, for errors.
std::string where_to_read(service_options const&);

}  // namespace petstore::server
