// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "api/documentation_redirects.hpp"

#include "api/operations.hpp"
#include "petstore/server/accept.hpp"

namespace petstore::server {
namespace {

constexpr std::string_view description_path = "/openapi.json";

/// A redirect that no client keeps for ever, because another version may have the documentation elsewhere.
void redirect(std::string_view to, response& out) {
  out.status = 302;
  out.add("Location", to);
}

}  // namespace

documentation_redirect find_documentation_redirect(std::string_view path) noexcept {
  if (path == "/") return documentation_redirect::front;
  if (path == "/docs/") return documentation_redirect::documentation;
  return path == description_path ? documentation_redirect::description : documentation_redirect::none;
}

result<void> redirect_to_documentation(documentation_redirect from, request const& req, service_options const& options,
                                       response& out) {
  if (from == documentation_redirect::description) {
    redirect(options.base_path + std::string{description_path}, out);
  } else if (from == documentation_redirect::documentation || names_type(req, "text/html")) {
    redirect(documentation_row.path, out);
  } else {
    return error{errc::not_found, "There is nothing here. " + where_to_read(options), {}};
  }
  if (from == documentation_redirect::front) out.add("Vary", "Accept");
  return {};
}

std::string where_to_read(service_options const& options) {
  auto const document = options.base_path + std::string{description_path};
  if (!options.documentation) return "The OpenAPI document is at " + document + ".";
  return "The documentation is at " + std::string{documentation_row.path} + ", the OpenAPI document at " + document +
         ".";
}

}  // namespace petstore::server
