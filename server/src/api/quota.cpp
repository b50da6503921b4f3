// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "api/exchange.hpp"
#include "api/operations.hpp"
#include "petstore/json_object.hpp"
#include "petstore/server/quota_body.hpp"

namespace petstore::server {
namespace {

void append(json_object out, limits::quota_state const& q) {
  out.add("quota", q.quota).add("used", q.used).add("remaining", q.remaining).add("reset", q.reset_unix_s).close();
}

}  // namespace

void append_quota_body(std::string& out, std::string_view plan, limits::notice const& numbers) {
  json_object body{out};
  body.add("plan", plan);
  append(body.add_object(limits::name_of(numbers.short_window.period)), numbers.short_window);
  if (numbers.has_long) append(body.add_object(limits::name_of(numbers.long_window.period)), numbers.long_window);
  body.close();
}

handlers::outcome handlers::get_quota(exchange& x) {
  append_quota_body(x.out.body, *x.caller.plan_name, limits::tell(x.verdict));
  return result<void>{};
}

}  // namespace petstore::server
