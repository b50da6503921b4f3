// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "complaint.hpp"

#include <boost/test/unit_test.hpp>

#include "announcement.hpp"

namespace petstore::redis {

BOOST_AUTO_TEST_SUITE(redis_complaints)

namespace {

using kind = complaint::kind;

node const here{"here", 6379};

kind what(std::string_view error) {
  return read_complaint(error, here).what;
}

BOOST_AUTO_TEST_CASE(an_error_says_whether_anything_was_done) {
  BOOST_TEST((what("ERR value is not an integer or out of range") == kind::executed));
  BOOST_TEST((what("WRONGTYPE Operation against a key holding the wrong kind of value") == kind::executed));
  BOOST_TEST((what("") == kind::executed));
  BOOST_TEST((what("READONLYISH x") == kind::executed));
  BOOST_TEST((what("OOM command not allowed when used memory > 'maxmemory'.") == kind::refused));
  BOOST_TEST((what("NOPERM this user has no permissions to run the 'get' command") == kind::refused));
  BOOST_TEST((what("NOPERM this user has no permissions. script: 4d, on @user_script:1.") == kind::executed));
  BOOST_TEST((what("LOADING Redis is loading the dataset in memory") == kind::not_in_charge));
  BOOST_TEST((what("READONLY You can't write against a read only replica.") == kind::not_in_charge));
  BOOST_TEST((what("NOSCRIPT No matching script. Please use EVAL.") == kind::no_script));
  BOOST_TEST((what("TRYAGAIN Multiple keys request during rehashing of slot") == kind::try_again));
  BOOST_TEST((what("CLUSTERDOWN Hash slot not served") == kind::cluster_down));
}

BOOST_AUTO_TEST_CASE(a_redirection_names_slot_and_node) {
  auto const moved = read_complaint("MOVED 3999 127.0.0.1:6381", here);
  BOOST_TEST((moved.what == kind::moved));
  BOOST_TEST(moved.slot == 3999);
  BOOST_TEST((moved.target == node{"127.0.0.1", 6381}));
  auto const ask = read_complaint("ASK 1 ::1:7000", here);
  BOOST_TEST((ask.what == kind::ask));
  BOOST_TEST((ask.target == node{"::1", 7000}));
  BOOST_TEST((read_complaint("MOVED 1 :7000", here).target == node{"here", 7000}));
  BOOST_TEST((read_complaint("MOVED 1 ?:7000", here).target == node{"here", 7000}));
  BOOST_TEST((read_complaint("ASK 1 ?:7000", here).target == node{"here", 7000}));
}

BOOST_AUTO_TEST_CASE(a_redirection_to_nowhere_is_not_followed) {
  for (char const* const text : {"MOVED", "MOVED 1", "MOVED x a:1", "MOVED 16384 a:1", "MOVED 1 a",
                                 "MOVED 1 a:", "MOVED 1 a:0", "MOVED 1 a:65536", "MOVED -1 a:1", "ASK 1 a:1x"}) {
    BOOST_TEST_CONTEXT(text) {
      BOOST_TEST((what(text) == kind::executed));
    }
  }
}

BOOST_AUTO_TEST_CASE(an_announced_master_is_the_second_address) {
  BOOST_TEST((read_announcement("shop 10.0.0.1 6379 10.0.0.2 6380", "shop") == node{"10.0.0.2", 6380}));
  for (char const* const text :
       {"", "shop", "shop a 1 b", "shop a 1 b x", "shop a 1 b 0", "other a 1 b 2", "shop a 1  2"}) {
    BOOST_TEST_CONTEXT(text) {
      BOOST_TEST(!read_announcement(text, "shop"));
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::redis
