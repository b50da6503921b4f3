// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The limiter in a program that uses nothing else of this project: 60 requests pass, and the next one is told when to
// try again.
#include <petstore/limits/account.hpp>
#include <petstore/limits/headers.hpp>
#include <petstore/limits/notice.hpp>

#include <cstdio>
#include <string>

int main() {
  using namespace petstore::limits;

  plan const free_plan{per_minute(60), per_day(1'000)};
  ban_policy const bans;
  account caller;  // 64 bytes, one for each identity, shared by all threads without a lock
  instant const at = now();

  for (int i = 0; i < 60; ++i)
    if (!caller.charge(free_plan, bans, at).admitted()) return 1;

  verdict const v = caller.charge(free_plan, bans, at);  // one token of both quotas, or of neither
  std::string fields;
  append_headers(fields, v, rate_limit_fields::draft11);  // X-RateLimit-*, RateLimit, Retry-After
  std::fputs(fields.c_str(), stdout);
  bool const told_when = v.refused() && fields.find("Retry-After: 60\r\n") != std::string::npos;
  return told_when && tell(v).long_window.used == 60 ? 0 : 1;
}
