// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "pipeline.hpp"

#include <boost/test/unit_test.hpp>
#include <random>

#include "backoff.hpp"

namespace petstore::redis {

BOOST_AUTO_TEST_SUITE(redis_pipeline)

namespace {

using std::chrono::milliseconds;

pipeline::time_point at(int ms) {
  return pipeline::time_point{milliseconds{ms}};
}

std::unique_ptr<call> make_call(std::string word, int deadline_ms = 1000, bool is_asking = false) {
  auto one = std::make_unique<call>();
  one->words = {std::move(word)};
  one->deadline = at(deadline_ms);
  one->is_asking = is_asking;
  return one;
}

bool add(pipeline& line, std::string word, int deadline_ms = 1000, bool is_asking = false) {
  auto one = make_call(std::move(word), deadline_ms, is_asking);
  return line.add(one);
}

reply say(std::string text) {
  reply made;
  made.type = reply::kind::status;
  made.text = std::move(text);
  return made;
}

std::string wire(std::string const& word) {
  return "*1\r\n$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
}

BOOST_AUTO_TEST_CASE(what_waits_is_sent_together_and_answered_in_order) {
  pipeline line{{10, 1000}};
  add(line, "a");
  add(line, "b");
  BOOST_TEST(line.has_output());
  BOOST_TEST(line.take_output(at(1)) == wire("a") + wire("b"));
  BOOST_TEST(!line.has_output());
  add(line, "c");
  auto first = line.on_reply(say("1"));
  BOOST_TEST(first->call->words[0] == "a");
  BOOST_TEST(first->outcome->text == "1");
  BOOST_TEST(line.on_reply(say("2"))->call->words[0] == "b");
  BOOST_TEST(!line.on_reply(say("3")));  // c was never sent
  BOOST_TEST(line.take_output(at(2)) == wire("c"));
}

BOOST_AUTO_TEST_CASE(a_call_that_is_too_late_before_it_is_sent_is_never_sent) {
  pipeline line{{10, 1000}};
  add(line, "a", 20);
  add(line, "b", 10);
  auto const late = line.expire(at(15));
  BOOST_REQUIRE(late.size() == 1U);
  BOOST_TEST(late[0].call->words[0] == "b");
  BOOST_TEST((late[0].outcome.error().code == errc::not_sent));
  BOOST_TEST(line.take_output(at(16)) == wire("a"));
}

BOOST_AUTO_TEST_CASE(the_reply_to_a_call_given_up_goes_to_nobody) {
  pipeline line{{10, 1000}};
  add(line, "a", 10);
  add(line, "b", 1000);
  line.take_output(at(1));
  auto const late = line.expire(at(10));
  BOOST_REQUIRE(late.size() == 1U);
  BOOST_TEST((late[0].outcome.error().code == errc::timed_out));
  BOOST_TEST((line.unanswered_since() == at(1)));
  BOOST_TEST(!line.on_reply(say("a's"))->call);
  BOOST_TEST(line.on_reply(say("b's"))->call->words[0] == "b");
  BOOST_TEST(!line.unanswered_since());
}

BOOST_AUTO_TEST_CASE(the_reply_to_asking_is_not_the_calls) {
  pipeline line{{10, 1000}};
  add(line, "a", 1000, true);
  BOOST_TEST(line.take_output(at(1)) == wire("ASKING") + wire("a"));
  BOOST_TEST(!line.on_reply(say("OK"))->call);
  BOOST_TEST(line.on_reply(say("1"))->call->words[0] == "a");
}

BOOST_AUTO_TEST_CASE(when_the_connection_ends_the_sent_are_unknown_and_the_unsent_are_not) {
  pipeline line{{10, 1000}};
  add(line, "sent");
  line.take_output(at(1));
  add(line, "unsent");
  auto const lost = line.end(errc::connection_lost, "reset");
  BOOST_REQUIRE(lost.size() == 2U);
  BOOST_TEST((lost[0].outcome.error().code == errc::connection_lost));
  BOOST_TEST(lost[0].outcome.error().detail == "reset");
  BOOST_TEST((lost[1].outcome.error().code == errc::not_sent));
  BOOST_TEST(line.live() == 0U);
}

BOOST_AUTO_TEST_CASE(calls_and_bytes_are_limited_and_a_refused_call_is_left_to_its_owner) {
  pipeline few{{2, 1000}};
  BOOST_TEST(add(few, "a"));
  few.take_output(at(1));
  BOOST_TEST(add(few, "b"));
  auto third = make_call("c");
  BOOST_TEST(!few.add(third));
  BOOST_TEST(third->words[0] == "c");
  // One given up still has its place.
  few.expire(at(2000));
  BOOST_TEST(add(few, "c", 3000));
  BOOST_TEST(!add(few, "d"));
  few.on_reply(say("a's"));
  BOOST_TEST(add(few, "d", 3000));

  pipeline small{{10, wire("aa").size() * 2}};
  BOOST_TEST(add(small, "aa"));
  BOOST_TEST(!add(small, std::string(12, 'a')));
  BOOST_TEST(add(small, "bb"));
  BOOST_TEST(!add(small, "c"));
  small.take_output(at(1));
  BOOST_TEST(add(small, "cc"));
}

BOOST_AUTO_TEST_CASE(whatever_happens_each_call_is_finished_once) {
  std::mt19937 random{20261121};
  pipeline line{{50, 100000}};
  std::map<std::string, int> finished;
  std::vector<std::string> wire_order;
  int added = 0;
  std::size_t replies = 0;
  auto const note = [&](pipeline::finished const& done) {
    if (done.call) ++finished[done.call->words[0]];
  };
  std::vector<std::string> unsent;
  for (int now = 0; now < 20000; ++now) {
    switch (random() % 5) {
      case 0:
      case 1: {
        auto const word = std::to_string(added);
        if (add(line, word, now + static_cast<int>(random() % 100))) {
          ++added;
          unsent.push_back(word);
        }
        break;
      }
      case 2: {
        auto const bytes = line.take_output(at(now));
        for (auto const& word : unsent) {
          if (bytes.find(wire(word)) != std::string::npos) wire_order.push_back(word);
        }
        unsent.clear();
        break;
      }
      case 3:
        if (replies < wire_order.size()) {
          auto const done = line.on_reply(say("x"));
          BOOST_REQUIRE(done);
          // Whoever is still waited for is the one whose turn it was.
          if (done->call) BOOST_REQUIRE(done->call->words[0] == wire_order[replies]);
          ++replies;
          note(*done);
        }
        break;
      case 4:
        for (auto const& late : line.expire(at(now))) note(late);
    }
  }
  for (auto const& lost : line.end(errc::connection_lost, "")) note(lost);
  BOOST_TEST(finished.size() == static_cast<std::size_t>(added));
  for (auto const& [word, times] : finished) BOOST_REQUIRE(times == 1);
  BOOST_TEST(replies > 1000U);
}

BOOST_AUTO_TEST_CASE(waiting_doubles_up_to_its_limit_and_is_spread_over_a_half) {
  backoff wait{milliseconds{20}, milliseconds{100}};
  for (int whole : {20, 40, 80, 100, 100}) {
    backoff low = wait;
    backoff high = wait;
    BOOST_TEST(low.after_failure(0).count() == whole / 2);
    BOOST_TEST(high.after_failure(static_cast<std::uint32_t>(whole - whole / 2)).count() == whole);
    wait.after_failure(7);
  }
  wait.succeeded();
  BOOST_TEST(wait.after_failure(0).count() == 10);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()

}  // namespace petstore::redis
