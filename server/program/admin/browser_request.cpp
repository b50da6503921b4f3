// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/browser_request.hpp"

#include <string_view>

namespace petstore::program {

using server::known_field;

bool comes_from_another_site(server::request const& req) {
  auto const site = req.find("sec-fetch-site");
  if (!site.empty() && site != "same-origin" && site != "none") return true;
  auto const origin = req.find(known_field::origin);
  if (origin.empty()) return false;
  auto const host_at = origin.find("://");
  return host_at == std::string_view::npos || origin.substr(host_at + 3) != req.find(known_field::host);
}

bool uses_tls(server::request const& req) {
  return req.find(known_field::origin).starts_with("https://");
}

bool is_json(server::request const& req) {
  auto const type = req.find(known_field::content_type);
  return type == "application/json" || type.starts_with("application/json;");
}

}  // namespace petstore::program
