// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "serve/service_manager.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "program/notify_socket.hpp"
#include "support/temporary_directory.hpp"

using petstore::program::service_manager;
using namespace petstore::tests;

BOOST_AUTO_TEST_SUITE(service_manager_)

BOOST_AUTO_TEST_CASE(a_manager_with_a_path_hears_what_it_is_told) {
  temporary_directory directory;
  auto const path = (directory / "notify").string();
  notify_socket manager(path);
  BOOST_TEST(service_manager(path).tell("READY=1"));
  BOOST_TEST(manager.receive() == "READY=1");
}

BOOST_AUTO_TEST_CASE(a_manager_with_an_abstract_name_hears_it_too) {
  auto const name = "@petstore-test-" + std::to_string(::getpid());
  notify_socket manager(name);
  BOOST_TEST(service_manager(name).tell("STOPPING=1\nSTATUS=x"));
  BOOST_TEST(manager.receive() == "STOPPING=1\nSTATUS=x");
}

BOOST_AUTO_TEST_CASE(it_can_be_told_when_the_process_is_out_of_descriptors) {
  temporary_directory directory;
  auto const path = (directory / "notify").string();
  notify_socket heard(path);
  service_manager const manager(path);
  rlimit before{};
  BOOST_REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  rlimit const none{0, before.rlim_max};
  BOOST_REQUIRE(::setrlimit(RLIMIT_NOFILE, &none) == 0);
  bool const is_told = manager.tell("WATCHDOG=1");
  ::setrlimit(RLIMIT_NOFILE, &before);
  BOOST_TEST(is_told);
  BOOST_TEST(heard.received() == "WATCHDOG=1");
}

BOOST_AUTO_TEST_CASE(without_a_manager_there_is_nothing_to_do) {
  service_manager const nobody("");
  BOOST_TEST(nobody.tell("READY=1"));
  BOOST_TEST(!nobody.watchdog());
}

BOOST_AUTO_TEST_CASE(a_manager_that_cannot_be_reached_is_noticed) {
  temporary_directory directory;
  BOOST_TEST(!service_manager((directory / "nobody").string()).tell("READY=1"));
  BOOST_TEST(!service_manager(std::string(200, 'x')).tell("READY=1"));
}

BOOST_AUTO_TEST_SUITE_END()
