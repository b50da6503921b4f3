// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "slot.hpp"

#include <boost/test/unit_test.hpp>

#include "petstore/redis/script.hpp"
#include "slot_map.hpp"

namespace petstore::redis {

BOOST_AUTO_TEST_SUITE(redis_slots)

namespace {

BOOST_AUTO_TEST_CASE(the_hash_has_its_known_values) {
  BOOST_TEST(slot_of("123456789") == 0x31C3 % slot_count);  // the check value of CRC-16/XMODEM
  BOOST_TEST(slot_of("") == 0);
  BOOST_TEST(slot_of("foo") == 12182);  // as CLUSTER KEYSLOT answers
  BOOST_TEST(slot_of("somekey") == 11058);
}

BOOST_AUTO_TEST_CASE(keys_with_one_tag_have_one_slot) {
  BOOST_TEST(slot_of("{user1000}.following") == slot_of("user1000"));
  BOOST_TEST(slot_of("a{user1000}b") == slot_of("user1000"));
  BOOST_TEST(slot_of("foo{{bar}}zap") == slot_of("{bar"));
  BOOST_TEST(slot_of("foo{bar}{zap}") == slot_of("bar"));
  // An empty tag, and one without an end, are no tags.
  BOOST_TEST(slot_of("foo{}{bar}") == 8363);
  BOOST_TEST(slot_of("foo{bar") != slot_of("bar"));
}

reply number(std::int64_t value) {
  reply made;
  made.type = reply::kind::integer;
  made.integer = value;
  return made;
}
reply text(std::string value) {
  reply made;
  made.type = reply::kind::text;
  made.text = std::move(value);
  return made;
}
reply array(std::vector<reply> elements) {
  reply made;
  made.type = reply::kind::array;
  made.elements = std::move(elements);
  return made;
}

BOOST_AUTO_TEST_CASE(a_map_names_the_master_of_each_range) {
  auto const map = array({array({number(0), number(99), array({text("10.0.0.1"), number(7000), text("id")}),
                                 array({text("10.0.0.2"), number(7001), text("id")})}),
                          array({number(100), number(16383), array({text(""), number(7002)})}),
                          array({number(5), number(5), array({reply{}, number(7003)})})});
  auto const ranges = read_slot_map(map, {"seed", 1}).value();
  BOOST_REQUIRE(ranges.size() == 3U);
  BOOST_TEST((ranges[0] == slot_range{0, 99, {"10.0.0.1", 7000}}));
  BOOST_TEST((ranges[1] == slot_range{100, 16383, {"seed", 7002}}));
  BOOST_TEST((ranges[2] == slot_range{5, 5, {"seed", 7003}}));
}

BOOST_AUTO_TEST_CASE(what_is_no_map_is_refused) {
  auto const place = array({text("h"), number(1)});
  for (auto const& wrong :
       {text("OK"), array({text("x")}), array({array({number(0), number(1)})}),
        array({array({number(1), number(0), place})}), array({array({number(0), number(16384), place})}),
        array({array({number(-1), number(1), place})}), array({array({number(0), number(1), array({text("h")})})}),
        array({array({number(0), number(1), array({text("h"), number(65536)})})}),
        array({array({number(0), number(1), array({text("h"), text("1")})})})}) {
    BOOST_TEST(!read_slot_map(wrong, {"seed", 1}).has_value());
  }
}

BOOST_AUTO_TEST_CASE(a_script_is_known_by_its_sha1) {
  BOOST_TEST(script{"return 1"}.digest() == "e0e1f9fabfc9d4800c877a703b823ac0578ff8db");
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::redis
