// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <string>
#include <utility>

#include "api/openapi/embedded.hpp"
#include "petstore/server/description.hpp"
#include "petstore/server/service_options.hpp"
#include "petstore/server/static_site.hpp"

namespace petstore::server {
namespace {

namespace json = boost::json;

json::object make_server(std::string_view url, std::string_view description) {
  return {{"url", url}, {"description", description}};
}

}  // namespace

std::string openapi_document(service_options const& options) {
  json::value document = json::parse(embedded_openapi_document());
  auto const production = make_server(options.base_url, "Production");
  auto const staging = make_server(options.staging_base_url, "Staging");
  bool const in_production = options.environment == environment::production;
  document.as_object()["servers"] = in_production ? json::array{production, staging} : json::array{staging, production};
  return json::serialize(document);
}

page make_description(service_options const& options) {
  page made{openapi_document(options), {}};
  made.tag = tag_of(made.body);
  return made;
}

}  // namespace petstore::server
