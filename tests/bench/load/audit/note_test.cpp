// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "audit/note.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(audit_note_test)

namespace {

using namespace petstore::load;

BOOST_AUTO_TEST_CASE(every_field_is_read) {
  answer_view a;
  a.status = 429;
  a.noted = {"60",
             "0",
             "1795262460",
             "minute",
             "\"minute\";r=0;t=48",
             "\"minute\";q=60;w=60, \"day\";q=1000;w=86400",
             "48",
             "Sun, 22 Nov 2026 12:00:12 GMT"};
  note n;
  std::vector<std::string> resources;
  read_fields(n, a, {}, resources);
  BOOST_TEST((resources == std::vector<std::string>{"minute", "day"}));
  BOOST_TEST(n.limit == 60);
  BOOST_TEST(n.remaining == 0);
  BOOST_TEST(n.reset == 1'795'262'460);
  BOOST_TEST(n.date == 1'795'348'812);
  BOOST_TEST(n.retry_after == 48);
  BOOST_TEST(n.resource == 0U);
  BOOST_TEST(n.policies[0].limit == 60);
  BOOST_TEST(n.policies[0].remaining == 0);
  BOOST_TEST(n.policies[0].more_in_s == 48);
  BOOST_TEST(n.policies[0].window_s == 60);
  BOOST_TEST(n.policies[1].limit == 1'000);
  BOOST_TEST(n.policies[1].remaining == not_said);
  BOOST_TEST(!n.banned);
}

BOOST_AUTO_TEST_CASE(retry_after_may_be_a_date_and_counts_from_the_date_of_the_answer) {
  using namespace std::chrono;
  auto const wait = [](std::string_view retry_after, std::string_view date, sys_seconds received = {}) {
    answer_view a;
    a.status = 429;
    a.noted.retry_after = retry_after;
    a.noted.date = date;
    note n;
    std::vector<std::string> resources;
    read_fields(n, a, received, resources);
    return n.retry_after;
  };
  constexpr auto date = "Sun, 22 Nov 2026 12:00:12 GMT";
  BOOST_TEST(wait("Sun, 22 Nov 2026 12:01:00 GMT", date) == 48);
  BOOST_TEST(wait("Sunday, 22-Nov-26 12:01:00 GMT", date) == 48);
  BOOST_TEST(wait("Sun Nov 22 12:01:00 2026", date) == 48);
  BOOST_TEST(wait("Sun, 22 Nov 2026 12:00:00 GMT", date) == 0);  // it is past
  BOOST_TEST(wait("Sun, 22 Nov 2026 12:01:00 GMT", "", sys_days(2026y / November / 22) + hours(12)) == 60);
  BOOST_TEST(wait("Sun, 22 Nov 2026", date) == -1);
}

BOOST_AUTO_TEST_CASE(ban_is_told_from_an_exhausted_quota) {
  answer_view a;
  a.status = 429;
  a.noted.rate_limit_policy = "\"minute\";q=60;w=60";
  std::vector<std::string> resources;
  note n;
  read_fields(n, a, {}, resources);
  BOOST_TEST(n.banned);
  a.noted.rate_limit = "\"minute\";r=0;t=5";
  note exhausted;
  read_fields(exhausted, a, {}, resources);
  BOOST_TEST(!exhausted.banned);
  a.body = R"({"code":"banned","message":"","status":429})";
  note both;
  read_fields(both, a, {}, resources);
  BOOST_TEST(both.banned);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_counts_as_not_said) {
  for (auto const* odd : {"", "-1", "x", "1.5", "1 2", "99999999999999999999999", "\xff"}) {
    answer_view a;
    a.status = 200;
    a.noted.limit = a.noted.remaining = a.noted.reset = a.noted.retry_after = a.noted.date = odd;
    note n;
    std::vector<std::string> resources;
    read_fields(n, a, {}, resources);
    BOOST_TEST(n.limit == not_said, odd);
    BOOST_TEST(n.date == not_said);
    BOOST_TEST(n.retry_after == -1);
    BOOST_TEST(n.resource == no_resource);
  }
}

BOOST_AUTO_TEST_CASE(odd_lists_do_no_harm) {
  for (auto const* odd :
       {",,,", ";;;", "\"", "\"a\";", "\"a\";=;r=", "\"a\";r=1;r=2,\"b\",\"c\";r=3", "a;b;c", "=", "\"a\";r"}) {
    answer_view a;
    a.status = 200;
    a.noted.rate_limit = a.noted.rate_limit_policy = odd;
    note n;
    std::vector<std::string> resources;
    read_fields(n, a, {}, resources);
    BOOST_TEST(resources.size() <= 3U, odd);
  }
}

BOOST_AUTO_TEST_CASE(names_of_quotas_have_a_limit) {
  std::vector<std::string> resources;
  for (int i = 0; i < 20; ++i) {
    auto const name = "\"q" + std::to_string(i) + "\";r=1";
    answer_view a;
    a.status = 200;
    a.noted.rate_limit = name;
    note n;
    read_fields(n, a, {}, resources);
    BOOST_TEST((n.policies[0].resource != no_resource) == (i < static_cast<int>(audited_resources_max)));
  }
  BOOST_TEST(resources.size() == audited_resources_max);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
