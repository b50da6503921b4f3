// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <string>
#include <utility>

#include "api/openapi/embedded.hpp"
#include "api/operation_costs.hpp"
#include "http/field.hpp"
#include "petstore/server/description.hpp"
#include "petstore/server/service_options.hpp"
#include "petstore/server/static_site.hpp"

namespace petstore::server {
namespace {

namespace json = boost::json;

constexpr std::string_view address_mark = "{base-url}";

/// A URL, or else an e-mail address.
json::object make_contact(std::string_view contact) {
  bool const is_url = contact.find("://") != std::string_view::npos;
  return {{is_url ? "url" : "email", contact}};
}

json::object make_server(std::string_view url, std::string_view description) {
  return {{"url", url}, {"description", description}};
}

/// Tells in the description of each operation what it costs, if that is not one token.
void describe_costs(json::object& paths, service_options const& options) {
  operation_costs const costs{options};
  for (operation const& row : operations) {
    auto const tokens = costs.of(&row).tokens();
    if (tokens == 1) continue;
    auto method = std::string{to_string(row.method)};
    std::ranges::transform(method, method.begin(), to_lower);
    auto& described = paths.at(row.path).as_object().at(method).as_object();
    described["x-cost"] = tokens;
    auto const sentence = "A request costs " + std::to_string(tokens) + " tokens.";
    auto& text = described["description"];
    text = text.is_string() ? std::string{text.as_string()} + "\n\n" + sentence : sentence;
  }
}

}  // namespace

std::string openapi_document(service_options const& options) {
  json::value document = json::parse(embedded_openapi_document());
  auto const production = make_server(options.base_url, "Production");
  auto const staging = make_server(options.staging_base_url, "Staging");
  bool const in_production = options.environment == environment::production;
  auto& servers = document.as_object()["servers"].emplace_array();
  servers.push_back(in_production ? production : staging);
  if (options.base_url != options.staging_base_url) servers.push_back(in_production ? staging : production);

  auto& info = document.at("info").as_object();
  if (!options.contact.empty()) info["contact"] = make_contact(options.contact);
  auto& description = info.at("description").as_string();
  auto const at = std::string_view{description}.find(address_mark);
  description.replace(at, address_mark.size(), in_production ? options.base_url : options.staging_base_url);
  describe_costs(document.at("paths").as_object(), options);
  return json::serialize(document);
}

page make_description(service_options const& options) {
  page made{openapi_document(options), {}};
  made.tag = tag_of(made.body);
  return made;
}

}  // namespace petstore::server
