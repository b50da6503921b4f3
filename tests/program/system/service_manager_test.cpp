// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <boost/test/unit_test.hpp>

#include "program/notify_socket.hpp"
#include "program/system/running_server.hpp"

BOOST_AUTO_TEST_SUITE(service_managers)

using namespace petstore::tests;

BOOST_AUTO_TEST_CASE(the_manager_hears_when_the_service_accepts_and_when_it_stops) {
  temporary_directory directory;
  auto const path = (directory / "notify").string();
  notify_socket manager(path);
  running_server server({"--store", "memory:", "--drain-timeout", "40s"}, {"NOTIFY_SOCKET=" + path});
  BOOST_TEST(manager.receive() == "READY=1");
  BOOST_TEST(ask(server.port(), "GET", "/v1/pets").status == 401);
  BOOST_TEST(server.stop() == 0);
  BOOST_TEST(manager.receive() == "STOPPING=1\nEXTEND_TIMEOUT_USEC=51000000");
  BOOST_TEST(manager.received() == "");
}

BOOST_AUTO_TEST_CASE(a_manager_that_watches_hears_again_and_again_that_the_service_is_alive) {
  temporary_directory directory;
  auto const path = (directory / "notify").string();
  notify_socket manager(path);
  running_server server({"--store", "memory:"}, {"NOTIFY_SOCKET=" + path, "WATCHDOG_USEC=20000"});
  int alive = 0;
  while (alive < 3) alive += manager.receive() == "WATCHDOG=1" ? 1 : 0;
  BOOST_TEST(server.stop() == 0);
}

BOOST_AUTO_TEST_CASE(a_watchdog_of_another_process_is_not_heeded) {
  temporary_directory directory;
  auto const path = (directory / "notify").string();
  notify_socket manager(path);
  running_server server({"--store", "memory:"}, {"NOTIFY_SOCKET=" + path, "WATCHDOG_USEC=1000", "WATCHDOG_PID=1"});
  BOOST_TEST(server.stop() == 0);
  BOOST_TEST(manager.receive() == "READY=1");
  BOOST_TEST(manager.receive().starts_with("STOPPING=1"));
}

BOOST_AUTO_TEST_CASE(a_manager_that_is_gone_is_a_warning) {
  running_server server({"--store", "memory:"}, {"NOTIFY_SOCKET=/nonexistent/notify"});
  BOOST_TEST(server.stop() == 0);
  BOOST_TEST(server.process().standard_error().find("\"service_manager\"") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
