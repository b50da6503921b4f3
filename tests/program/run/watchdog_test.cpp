// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/watchdog.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/test/unit_test.hpp>

#include "program/notify_socket.hpp"
#include "support/temporary_directory.hpp"

using namespace petstore;
using namespace petstore::program;
using namespace petstore::tests;
using namespace std::chrono_literals;

namespace {

/// Two threads' contexts, run by hand.
struct two_threads {
  temporary_directory directory;
  std::string const path = (directory / "notify").string();
  notify_socket heard{path};
  program::watchdog::contexts contexts = make_contexts();
  server::readiness readiness;
  service_manager manager{path, 1h};
  program::watchdog watchdog{contexts, manager, readiness};

  static program::watchdog::contexts make_contexts() {
    program::watchdog::contexts made;
    for (int i = 0; i < 2; ++i) made.push_back(std::make_unique<boost::asio::io_context>(1));
    return made;
  }
  void start() { boost::asio::co_spawn(*contexts[0], watchdog.run(), boost::asio::detached); }
  void run(std::size_t i) {
    contexts[i]->restart();
    contexts[i]->poll();
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(watchdogs, two_threads)

BOOST_AUTO_TEST_CASE(the_manager_hears_that_the_process_is_alive_once_every_thread_has_answered) {
  start();
  run(0);
  BOOST_TEST(heard.received() == "");
  run(1);
  run(0);
  BOOST_TEST(heard.received() == "WATCHDOG=1");
  watchdog.stop();
  run(0);
  BOOST_TEST(contexts[0]->stopped());
}

BOOST_AUTO_TEST_CASE(a_thread_that_has_ended_is_not_waited_for_in_a_drain) {
  readiness.draining = true;
  start();
  run(0);
  BOOST_TEST(heard.received() == "WATCHDOG=1");
  watchdog.stop();
  run(0);
  BOOST_TEST(contexts[0]->stopped());
}

BOOST_AUTO_TEST_CASE(where_nobody_waits_to_hear_there_is_nothing_to_do) {
  service_manager const silent{path};
  program::watchdog none{contexts, silent, readiness};
  boost::asio::co_spawn(*contexts[0], none.run(), boost::asio::detached);
  run(0);
  BOOST_TEST(contexts[0]->stopped());
  BOOST_TEST(heard.received() == "");
}

BOOST_AUTO_TEST_SUITE_END()
