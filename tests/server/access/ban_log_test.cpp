// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/ban_log.hpp"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "service_fixture.hpp"

namespace petstore::server {

BOOST_AUTO_TEST_SUITE(ban_log_suite)

namespace {

using namespace std::chrono_literals;
using lines = std::vector<std::string>;

constexpr limits::ban_policy three_strikes{.strikes = 3, .base = 60s};

/// Asks on after the refusals until there is a ban, and once more.
void earn_ban(service_fixture& s, question const& asked) {
  for (int i = 0; i < 61; ++i) s.ask(asked);
  s.pass(1s);
  for (int i = 0; i < 10; ++i) s.ask(asked);
  BOOST_REQUIRE(s.ask(asked).error_code == "banned");
}

BOOST_AUTO_TEST_CASE(a_ban_has_a_line_when_it_begins_and_one_when_its_time_is_over) {
  service_fixture s{{}, three_strikes};
  earn_ban(s, {.key = s.make_key("free")});
  lines const begun{"ban_begun: k1 is banned for 60 s, because it went on after refusals [test-request]"};
  BOOST_TEST(s.log == begun, boost::test_tools::per_element());

  s.bans->write_ended(s.now);
  BOOST_TEST(s.log.size() == 1u);
  s.pass(60s);
  s.bans->write_ended(s.now);
  s.bans->write_ended(s.now);
  lines const both{begun.front(), "ban_ended: k1 is not banned any more []"};
  BOOST_TEST(s.log == both, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_ban_that_an_operator_lifts_has_ended) {
  service_fixture s{{}, three_strikes};
  earn_ban(s, {.key = s.make_key("free")});
  s.pass(1ms);
  s.change_keys(unban_identity{1});
  s.bans->write_ended(s.now);
  BOOST_REQUIRE(s.log.size() == 2u);
  BOOST_TEST(s.log.back() == "ban_ended: k1 is not banned any more []");
}

BOOST_AUTO_TEST_CASE(an_address_without_a_key_is_named) {
  service_fixture s{{}, three_strikes};
  earn_ban(s, {.peer = "2001:db8:0:7:1::2"});
  BOOST_REQUIRE(s.log.size() == 1u);
  BOOST_TEST(s.log.front() ==
             "ban_begun: 2001:db8:0:7:: is banned for 60 s, because it went on after refusals [test-request]");
  s.pass(60s);
  s.bans->write_ended(s.now);
  BOOST_REQUIRE(s.log.size() == 2u);
  BOOST_TEST(s.log.back() == "ban_ended: 2001:db8:0:7:: is not banned any more []");
}

BOOST_AUTO_TEST_CASE(an_operators_ban_has_no_line) {
  service_fixture s{{}, three_strikes};
  auto const key = s.make_key("free");
  s.change_keys(ban_identity{1, std::chrono::time_point_cast<std::chrono::milliseconds>(s.now.wall) + 1min});
  BOOST_TEST(s.get("/v1/pets", key).error_code == "banned");
  s.bans->write_ended(s.now);
  BOOST_TEST(s.log.empty());
}

BOOST_AUTO_TEST_CASE(beyond_a_number_only_beginnings_are_written) {
  service_fixture s;
  limits::verdict begins;
  begins.decision = limits::decision::banned;
  begins.begins_ban = true;
  for (std::size_t i = 0; i < ban_log::followed_max + 3; ++i) s.bans->begin({}, i + 1, begins, {});
  BOOST_TEST(s.log.size() == ban_log::followed_max + 3);
  s.bans->write_ended(s.now);  // no quota knows of them
  BOOST_TEST(s.log.size() == 2 * ban_log::followed_max + 3);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::server
