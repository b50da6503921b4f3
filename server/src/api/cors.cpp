// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "api/cors.hpp"

#include <algorithm>

#include "http/field_table.hpp"

namespace petstore::server {
namespace {

std::string names_of(bool http::field_row::*which) {
  std::string names;
  for (auto const& field : http::field_table)
    if (field.*which) names.append(names.empty() ? "" : ", ").append(field.name);
  return names;
}

/// How long a browser may cache the answer to a preflight: the longest time that a browser accepts.
constexpr std::string_view preflight_kept_seconds = "7200";

}  // namespace

cors::cors(service_options const& options)
    : options_{&options},
      any_origin_{std::ranges::find(options.cors_origins, "*") != options.cors_origins.end()},
      allowed_fields_{names_of(&http::field_row::page_may_send)},
      exposed_fields_{names_of(&http::field_row::page_may_read)} {}

bool cors::is_preflight(request const& req) const noexcept {
  return !options_->cors_origins.empty() && req.method == method::options &&
         req.find(known_field::origin).data() != nullptr &&
         req.find(known_field::access_control_request_method).data() != nullptr;
}

void cors::answer_preflight(route const& where, response& out) const {
  out.status = 204;
  out.fields.append("Access-Control-Allow-Methods: ");
  append_allow(out.fields, where);
  out.fields.append("\r\n");
  out.add("Access-Control-Allow-Headers", allowed_fields_);
  out.add("Access-Control-Max-Age", preflight_kept_seconds);
}

void cors::add_fields(request const& req, response& out) const {
  if (options_->cors_origins.empty()) return;
  // A cache must not give the answer for one origin to another.
  if (!any_origin_) out.add("Vary", "Origin");
  std::string_view const origin = req.find(known_field::origin);
  if (origin.empty()) return;
  if (any_origin_) {
    out.add("Access-Control-Allow-Origin", "*");
  } else if (std::ranges::find(options_->cors_origins, origin) != options_->cors_origins.end()) {
    out.add("Access-Control-Allow-Origin", origin);
  } else {
    return;
  }
  out.add("Access-Control-Expose-Headers", exposed_fields_);
}

}  // namespace petstore::server
