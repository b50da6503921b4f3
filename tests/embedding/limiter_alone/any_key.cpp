// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The limiter with any type of key, here the names of customers: 60 requests pass, and the next one is told when to try
// again.
#include <petstore/limits/headers.hpp>
#include <petstore/limits/limiter.hpp>

#include <cstdio>
#include <string>

namespace limits = petstore::limits;

/// One limiter for the whole program; every thread charges it, mostly without a lock.
limits::limiter<std::string> quota({.plan = {limits::per_minute(60), limits::per_day(1'000)}});

/// Whether the request may pass. Appends the header fields of its answer to `fields`.
bool may_pass(std::string const& customer, std::string& fields) {
  limits::verdict const v = quota.charge(customer, limits::now());  // one token of both quotas, or of neither
  append_headers(fields, v, limits::rate_limit_fields::draft11);    // X-RateLimit-*, RateLimit, Retry-After
  return v.admitted();
}

int main() {
  std::string fields;
  for (int i = 0; i < 60; ++i)
    if (!may_pass("ada", fields)) return 1;
  fields.clear();
  bool const is_refused = !may_pass("ada", fields);
  std::fputs(fields.c_str(), stdout);
  bool const told_when = fields.find("Retry-After: ") != std::string::npos;
  return is_refused && told_when && may_pass("grace", fields) ? 0 : 1;
}
