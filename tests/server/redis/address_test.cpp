// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/redis/address.hpp"

#include <boost/test/unit_test.hpp>
#include <string>

namespace petstore::redis {

BOOST_AUTO_TEST_SUITE(redis_address)

namespace {

using topology = address::topology;

BOOST_AUTO_TEST_CASE(a_host_alone_is_enough) {
  auto const a = parse_address("redis://shop").value();
  BOOST_TEST((a.kind == topology::single));
  BOOST_TEST((a.nodes == std::vector<node>{{"shop", 6379}}));
  BOOST_TEST(!a.tls);
  BOOST_TEST(a.password.empty());
  BOOST_TEST(a.database == 0U);
}

BOOST_AUTO_TEST_CASE(everything_that_can_be_said_of_a_server_is_read) {
  auto const a =
      parse_address("rediss://pet:s%40cr%2Fet@[::1]:7000/12?ca=/etc/ca.pem&cert=/c&key=/k%20y&server_name=redis.shop")
          .value();
  BOOST_TEST(a.tls);
  BOOST_TEST(a.user == "pet");
  BOOST_TEST(a.password == "s@cr/et");
  BOOST_TEST((a.nodes == std::vector<node>{{"::1", 7000}}));
  BOOST_TEST(a.database == 12U);
  BOOST_TEST(a.ca == "/etc/ca.pem");
  BOOST_TEST(a.certificate == "/c");
  BOOST_TEST(a.key == "/k y");
  BOOST_TEST(a.server_name == "redis.shop");
  BOOST_TEST(to_string(a) == "rediss://[::1]:7000/12");
}

BOOST_AUTO_TEST_CASE(sentinels_come_with_the_name_of_the_master) {
  auto const a = parse_address("redis+sentinel://:secret@a,b:7,[::2]/shop%20one/3").value();
  BOOST_TEST((a.kind == topology::sentinel));
  BOOST_TEST((a.nodes == std::vector<node>{{"a", 26379}, {"b", 7}, {"::2", 26379}}));
  BOOST_TEST(a.master_name == "shop one");
  BOOST_TEST(a.user.empty());
  BOOST_TEST(a.password == "secret");
  BOOST_TEST(a.database == 3U);
  BOOST_TEST(parse_address("rediss+sentinel://a/shop").value().tls);
}

BOOST_AUTO_TEST_CASE(nodes_of_a_cluster_are_listed) {
  auto const a = parse_address("rediss+cluster://a:1,b:2").value();
  BOOST_TEST((a.kind == topology::cluster));
  BOOST_TEST((a.nodes == std::vector<node>{{"a", 1}, {"b", 2}}));
  BOOST_TEST(to_string(a) == "rediss+cluster://a:1,b:2");
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_said_in_a_sentence) {
  for (char const* const text : {"",
                                 "redis",
                                 "redis:/a",
                                 "http://a",
                                 "redis+tls://a",
                                 "redis://",
                                 "redis://:6379",
                                 "redis://a:",
                                 "redis://a:0",
                                 "redis://a:65536",
                                 "redis://a:x",
                                 "redis://a:1:2",
                                 "redis://a b",
                                 "redis://a,b",
                                 "redis://a/x",
                                 "redis://a/-1",
                                 "redis://a/65536",
                                 "redis://a/1/2",
                                 "redis://[::1",
                                 "redis://[]",
                                 "redis://[a:g]",
                                 "redis://[::1]x",
                                 "redis://u@a",
                                 "redis://%zz:p@a",
                                 "redis://u:%4@a",
                                 "redis://u:%00@a",
                                 "redis+sentinel://a",
                                 "redis+sentinel://a/",
                                 "redis+sentinel://a/m/x",
                                 "redis+cluster://a/1",
                                 "redis+cluster://a,,b",
                                 "redis://a?ca=/x",
                                 "rediss://a?ca",
                                 "rediss://a?ca=",
                                 "rediss://a?what=1",
                                 "rediss://a?ca=1&ca=2",
                                 "rediss://a?cert=1",
                                 "rediss://a?key=1"}) {
    auto const parsed = parse_address(text);
    BOOST_TEST_CONTEXT(text) {
      BOOST_REQUIRE(!parsed);
      BOOST_TEST((parsed.error().code == errc::bad_address));
      BOOST_TEST(parsed.error().detail.ends_with('.'));
    }
  }
}

BOOST_AUTO_TEST_CASE(no_error_and_no_description_repeats_a_password) {
  for (char const* const text :
       {"redis://:hunter2", "redis://:hunter2@", "redis://:hunter2@a b", "redis://pet:hunter2@a:x",
        "redis://hunter2:@a", "http://:hunter2@a", "redis://:hunter2@a?hunter2=hunter2", "redis://:hunter2%@a",
        "redis://pet:hunter2/a", "redis+sentinel://:hunter2@a"}) {
    auto const parsed = parse_address(text);
    BOOST_TEST_CONTEXT(text) {
      BOOST_REQUIRE(!parsed);
      BOOST_TEST(to_string(parsed.error()).find("hunter2") == std::string::npos);
    }
  }
  auto const fine = parse_address("redis://pet:hunter2@a").value();
  BOOST_TEST(to_string(fine) == "redis://a:6379");
}

BOOST_AUTO_TEST_CASE(a_password_may_hold_what_was_not_escaped) {
  auto const a = parse_address("redis://pet:a/b?c@d:e@host/1").value();
  BOOST_TEST(a.password == "a/b?c@d:e");
  BOOST_TEST((a.nodes == std::vector<node>{{"host", 6379}}));
}

BOOST_AUTO_TEST_CASE(limits_hold) {
  std::string many = "redis+cluster://a";
  for (int i = 1; i < 64; ++i) many += ",a";
  BOOST_TEST(parse_address(many).has_value());
  BOOST_TEST(!parse_address(many + ",a").has_value());
  std::string const longest = "redis://:" + std::string(4096 - 11, 'p') + "@a";
  BOOST_TEST(parse_address(longest).has_value());
  BOOST_TEST(!parse_address(longest + "a").has_value());
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::redis
