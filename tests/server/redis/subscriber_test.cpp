// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/redis/subscriber.hpp"

#include <boost/test/unit_test.hpp>

#include "server/redis/live_client.hpp"
#include "support/eventually.hpp"
#include "support/redis_process.hpp"

namespace petstore::tests {

BOOST_AUTO_TEST_SUITE(redis_subscriber)

namespace {

using redis::subscription_event;
using kind = subscription_event::kind;

struct fixture {
  redis_process server;
  journal<subscription_event> heard;
  running_context ears;

  redis::client_options options() const { return live_client::options_for(server.address()); }
  auto note() {
    return [this](subscription_event const& event) { heard.add(event); };
  }
  bool hears(kind what, std::string_view payload = {}) {
    return heard.wait_for([&](auto const& e) { return e.what == what && (payload.empty() || e.payload == payload); });
  }
};

BOOST_FIXTURE_TEST_CASE(what_is_published_to_the_pattern_is_heard_in_order_and_nothing_else, fixture) {
  redis::subscriber const subscriber{ears.executor(), options(), "news.*", note()};
  BOOST_REQUIRE(hears(kind::listening));
  server.ask({"PUBLISH", "news.cats", "first"});
  server.ask({"PUBLISH", "olds.cats", "never"});
  server.ask({"PUBLISH", "news.dogs", "last"});
  BOOST_REQUIRE(hears(kind::message, "last"));
  auto const all = heard.all();
  BOOST_REQUIRE(all.size() == 3U);
  BOOST_TEST(all[1].channel == "news.cats");
  BOOST_TEST(all[1].payload == "first");
  BOOST_TEST(all[2].channel == "news.dogs");
}

BOOST_FIXTURE_TEST_CASE(it_subscribes_again_after_a_loss_and_says_that_messages_may_have_been_missed, fixture) {
  redis::subscriber const subscriber{ears.executor(), options(), "news", note()};
  BOOST_REQUIRE(hears(kind::listening));
  server.kill();
  BOOST_REQUIRE(hears(kind::lost));
  heard.clear();
  server.start();
  BOOST_REQUIRE(hears(kind::listening));
  server.ask({"PUBLISH", "news", "after"});
  BOOST_TEST(hears(kind::message, "after"));
}

BOOST_FIXTURE_TEST_CASE(a_user_who_may_not_listen_is_told_so_and_listens_when_it_may, fixture) {
  server.ask({"ACL", "SETUSER", "default", "resetchannels"});
  redis::subscriber const subscriber{ears.executor(), options(), "news", note()};
  BOOST_REQUIRE(hears(kind::refused));
  BOOST_TEST(heard.all().front().payload.starts_with("NOPERM"));
  server.ask({"ACL", "SETUSER", "default", "&news"});
  BOOST_TEST(hears(kind::listening));
}

BOOST_FIXTURE_TEST_CASE(a_silent_server_is_told_from_one_that_has_nothing_to_say, fixture) {
  auto impatient = options();
  impatient.limits.heartbeat = std::chrono::milliseconds{10};
  impatient.limits.silence_max = std::chrono::milliseconds{1000};
  redis::subscriber const subscriber{ears.executor(), impatient, "news", note()};
  BOOST_REQUIRE(hears(kind::listening));
  // Nothing is published, and it stays: signs of life go to and fro.
  BOOST_TEST(eventually([&] { return server.tells("commandstats", "cmdstat_ping:calls=4"); }));
  BOOST_TEST(heard.all().size() == 1U);
  server.freeze();
  BOOST_TEST(hears(kind::lost));
  server.thaw();
}

BOOST_FIXTURE_TEST_CASE(once_destroyed_it_is_heard_of_no_more, fixture) {
  for (int i = 0; i < 10; ++i) {
    redis::subscriber const subscriber{ears.executor(), options(), "news", note()};
    if (i % 2 == 0) BOOST_REQUIRE(hears(kind::listening));
    heard.clear();
  }
  BOOST_TEST(std::ranges::none_of(heard.all(), [](auto const& event) { return event.what == kind::message; }));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::tests
