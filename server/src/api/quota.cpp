// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "api/exchange.hpp"
#include "api/operations.hpp"
#include "petstore/json_object.hpp"
#include "petstore/limits/notice.hpp"

namespace petstore::server::handlers {
namespace {

void append(json_object out, limits::quota_state const& q) {
  out.add("quota", q.quota).add("used", q.used()).add("remaining", q.remaining).add("reset", q.reset_unix_s).close();
}

}  // namespace

outcome get_quota(exchange& x) {
  auto const numbers = limits::tell(x.verdict);
  json_object body{x.out.body};
  body.add("plan", x.caller.plan_name);
  append(body.add_object("minute"), numbers.minute);
  if (numbers.has_day) append(body.add_object("day"), numbers.day);
  body.close();
  return result<void>{};
}

}  // namespace petstore::server::handlers
