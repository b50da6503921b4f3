// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "health.hpp"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

namespace petstore::storage::postgres {

BOOST_AUTO_TEST_SUITE(healths)

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds limit{1'000};

/// A server that two connections lead to, and a clock.
struct node {
  node() {
    for (auto const* connection : {&a, &b, &c})
      server.join(connection, [this, connection] { called.push_back(connection); });
    server.note_connected(now);
    server.note_connected(now);
  }

  std::vector<std::string> told;
  std::vector<char const*> called;
  health server{[this](std::string_view event, std::string_view) { told.emplace_back(event); }, limit};
  health::time_point now{std::chrono::hours{1}};
  char const a = 'a';
  char const b = 'b';
  char const c = 'c';
};

using events = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_CASE(connection_that_waits_while_nobody_hears_finds_the_server_silent) {
  node n;
  n.now += limit;
  n.server.note_waiting(n.now);
  BOOST_TEST(n.server.is_silent());
  BOOST_TEST(n.server.is_gone());
  BOOST_TEST(n.server.latest_cause() == "PostgreSQL has not answered for 1000 ms");
  n.server.note_waiting(n.now);
  BOOST_TEST(n.told == events{"store_lost"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(connection_that_waits_while_another_hears_finds_nothing) {
  node n;
  n.server.note_heard(n.now += limit / 2);
  n.server.note_waiting(n.now += limit / 2);
  BOOST_TEST(!n.server.is_silent());
  BOOST_TEST(!n.server.is_gone());
  BOOST_TEST(n.told.empty());
}

BOOST_AUTO_TEST_CASE(what_is_heard_is_written_down_late_by_no_more_than_a_tenth) {
  node n;
  n.server.note_heard(n.now += limit / 10 - 1ns);  // too soon to be written down
  BOOST_TEST(!n.server.has_heard_after(n.now - 1ns));
  n.server.note_heard(n.now += 1ns);
  BOOST_TEST(n.server.has_heard_after(n.now - 1ns));
  BOOST_TEST(!n.server.has_heard_after(n.now));
}

BOOST_AUTO_TEST_CASE(first_sign_of_life_ends_silence_and_calls_all) {
  node n;
  n.server.note_waiting(n.now += limit);
  auto const before = n.server.returns();
  n.server.note_heard(n.now += 1ms);
  BOOST_TEST(!n.server.is_silent());
  BOOST_TEST(!n.server.is_gone());
  BOOST_TEST(n.server.returns() == before + 1);
  BOOST_TEST(n.called.size() == 3u);
  BOOST_TEST(n.told == (events{"store_lost", "store_recovered"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(new_connection_ends_silence) {
  node n;
  n.server.note_waiting(n.now += limit);
  n.server.note_lost(true, "it took too long");
  n.server.note_connected(n.now += limit);
  BOOST_TEST(!n.server.is_silent());
  BOOST_TEST(n.told == (events{"store_lost", "store_recovered"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(answer_to_who_is_not_let_in_brings_back_nothing_where_no_connection_is_left) {
  node n;
  n.server.note_waiting(n.now += limit);
  n.server.note_lost(true, "it took too long");
  n.server.note_lost(true, "it took too long");
  n.server.note_heard(n.now += 1ms);
  BOOST_TEST(!n.server.is_silent());
  BOOST_TEST(n.server.is_gone());
  BOOST_TEST(n.called.empty());
  BOOST_TEST(n.told == events{"store_lost"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(every_connection_tries_for_itself_while_the_server_is_there) {
  node n;
  n.server.note_lost(true, "closed");
  BOOST_TEST(n.server.take_turn(&n.a));
  BOOST_TEST(n.server.take_turn(&n.b));
}

BOOST_AUTO_TEST_CASE(one_connection_tries_while_the_server_is_gone_and_calls_the_others_when_it_gets_through) {
  node n;
  n.server.note_lost(true, "closed");
  n.server.note_lost(true, "closed");
  BOOST_TEST(n.server.take_turn(&n.a));
  BOOST_TEST(!n.server.take_turn(&n.b));
  n.server.note_lost(false, "refused");
  BOOST_TEST(!n.server.take_turn(&n.b));
  BOOST_TEST(n.server.take_turn(&n.a));
  BOOST_TEST(n.called.empty());

  n.server.note_connected(n.now);
  BOOST_TEST(n.called.size() == 3u);
  BOOST_TEST(n.server.take_turn(&n.b));
  BOOST_TEST(n.server.take_turn(&n.c));
  BOOST_TEST(n.told == (events{"store_lost", "store_recovered"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(another_connection_tries_when_the_one_that_did_is_closed) {
  node n;
  n.server.note_lost(true, "closed");
  n.server.note_lost(true, "closed");
  BOOST_TEST(n.server.take_turn(&n.a));
  n.server.leave(&n.b);
  BOOST_TEST(n.called.empty());
  n.server.leave(&n.a);
  BOOST_TEST(n.called == std::vector<char const*>{&n.c}, boost::test_tools::per_element());
  BOOST_TEST(n.server.take_turn(&n.c));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::storage::postgres
