// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <string>

#include "api/exchange.hpp"
#include "api/operations.hpp"
#include "petstore/json.hpp"
#include "petstore/limits/notice.hpp"

namespace petstore::server::handlers {
namespace {

void append_json(std::string& out, limits::quota_state const& q) {
  out.append(R"({"quota":)").append(std::to_string(q.quota));
  out.append(R"(,"used":)").append(std::to_string(q.used()));
  out.append(R"(,"remaining":)").append(std::to_string(q.remaining));
  out.append(R"(,"reset":)").append(std::to_string(q.reset_unix_s)).append("}");
}

}  // namespace

outcome get_quota(exchange& x) {
  auto& body = x.out.body;
  auto const told = limits::tell(x.verdict);
  body.append(R"({"plan":)");
  append_json_string(body, x.who.plan_name);
  body.append(R"(,"minute":)");
  append_json(body, told.minute);
  if (told.has_day) {
    body.append(R"(,"day":)");
    append_json(body, told.day);
  }
  body.append("}");
  return result<void>{};
}

}  // namespace petstore::server::handlers
