// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/event_feed.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>
#include <new>
#include <string>

using namespace petstore::program;
using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace {

struct fed {
  asio::io_context context{1};
  int restarts = 0;
  int samples = 0;
  event_feed feed{context.get_executor(), [this] { restart(); }, [this] { return sample(); }, 2, 1ms};

  int failing = 0;  ///< the sample that fails; 0: none
  bool restart_fails = false;

  void restart() {
    ++restarts;
    if (restart_fails) throw std::bad_alloc{};
  }

  std::string sample() {
    if (++samples == failing) throw std::bad_alloc{};
    return std::to_string(samples);
  }
  /// So many parts, as they came; fewer when the stream ended.
  std::string read(petstore::server::body_stream& from, int parts) {
    std::string text;
    auto reading = take(from, parts, text);
    bool done = false;
    asio::co_spawn(context, std::move(reading), [&done](std::exception_ptr) { done = true; });
    context.restart();
    while (!done) context.run_one();
    return text;
  }
  static asio::awaitable<void> take(petstore::server::body_stream& from, int parts, std::string& text) {
    for (; parts > 0; --parts) {
      bool const goes_on = co_await from.next(text);
      if (!goes_on) co_return;
    }
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(event_feed_suite, fed)

BOOST_AUTO_TEST_CASE(nothing_is_sampled_while_nobody_reads) {
  context.run();
  BOOST_TEST(samples == 0);
  auto reader = feed.read();
  BOOST_TEST(read(*reader, 2) == "data: 1\n\ndata: 2\n\n");
  reader.reset();
  context.restart();
  context.run();  // comes to an end, as nothing is sampled any more
  BOOST_TEST(samples <= 3);
}

BOOST_AUTO_TEST_CASE(who_comes_back_begins_anew) {
  auto reader = feed.read();
  read(*reader, 1);
  reader.reset();
  context.restart();
  context.run();
  reader = feed.read();
  read(*reader, 1);
  BOOST_TEST(restarts == 2);
}

BOOST_AUTO_TEST_CASE(a_sample_that_fails_is_left_out) {
  failing = 2;
  auto const reader = feed.read();
  BOOST_TEST(read(*reader, 2) == "data: 1\n\ndata: 3\n\n");
}

BOOST_AUTO_TEST_CASE(a_restart_that_fails_keeps_no_reader_waiting) {
  restart_fails = true;
  auto const reader = feed.read();
  BOOST_TEST(read(*reader, 1) == "data: 1\n\n");
}

BOOST_AUTO_TEST_CASE(readers_share_what_is_sampled) {
  auto const one = feed.read();
  auto const other = feed.read();
  BOOST_TEST(read(*one, 1) == "data: 1\n\n");
  BOOST_TEST(read(*other, 1).starts_with("data: "));
  BOOST_TEST(restarts == 1);
}

BOOST_AUTO_TEST_CASE(there_are_no_more_readers_than_may_be) {
  auto one = feed.read();
  auto const other = feed.read();
  BOOST_TEST(feed.read() == nullptr);
  one.reset();
  BOOST_TEST(feed.read() != nullptr);
}

BOOST_AUTO_TEST_CASE(closing_ends_every_stream) {
  auto const reader = feed.read();
  read(*reader, 1);
  feed.close();
  BOOST_TEST(read(*reader, 5) == "");
  BOOST_TEST(feed.read() == nullptr);
}

BOOST_AUTO_TEST_CASE(a_stream_may_outlive_its_feed) {
  std::unique_ptr<petstore::server::body_stream> left;
  {
    event_feed short_lived{context.get_executor(), [] {}, [] { return std::string{}; }, 1, 1ms};
    left = short_lived.read();
  }
  BOOST_TEST(read(*left, 1) == "");
}

BOOST_AUTO_TEST_SUITE_END()
