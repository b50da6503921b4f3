// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/beast.hpp"

#include <boost/test/unit_test.hpp>

#include "petstore/limits/account.hpp"

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(beast)

BOOST_AUTO_TEST_CASE(fields_of_an_earlier_verdict_do_not_stay) {
  limits::plan const once{limits::per_minute(1)};
  limits::ban_policy const bans;
  limits::account caller;
  limits::instant const now{limits::boot_time{std::chrono::hours{1}}, std::chrono::sys_days{std::chrono::days{20'000}}};
  auto const admitted = caller.charge(once, bans, now);
  auto const refused = caller.charge(once, bans, now);
  BOOST_REQUIRE(refused.refused());

  boost::beast::http::fields fields;
  set_rate_limit(fields, refused);
  BOOST_TEST(fields.count("Retry-After") == 1u);
  set_rate_limit(fields, admitted, limits::rate_limit_fields::off);
  BOOST_TEST(fields.count("Retry-After") == 0u);
  BOOST_TEST(fields.count("RateLimit") == 0u);
  BOOST_TEST(fields.count("RateLimit-Policy") == 0u);
  BOOST_TEST(fields.count("X-RateLimit-Remaining") == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
