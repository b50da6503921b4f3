// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/service_manager.hpp"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <csignal>
#include <fstream>
#include <future>
#include <string>

#include "program/notify_socket.hpp"
#include "support/eventually.hpp"
#include "support/temporary_directory.hpp"

BOOST_AUTO_TEST_SUITE(service_manager_)

using petstore::program::service_manager;
using namespace petstore::tests;

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

/// Where a thread of this process is, as the kernel has it: the number of the system call first.
std::string system_call_of(pid_t thread) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/syscall");
  std::string number;
  file >> number;
  return number;
}

BOOST_AUTO_TEST_CASE(a_signal_while_a_message_waits_for_a_slow_manager_does_not_lose_it) {
  temporary_directory directory;
  auto const path = (directory / "notify").string();
  notify_socket slow(path);
  auto const messages = slow.fill();
  service_manager const manager(path, {}, time_limit);

  struct sigaction ignored {
  }, before{};
  static std::atomic<int> signals;
  signals = 0;
  ignored.sa_handler = [](int) { ++signals; };
  BOOST_REQUIRE(::sigaction(SIGUSR1, &ignored, &before) == 0);
  std::atomic<pid_t> thread = 0;
  auto is_told = std::async(std::launch::async, [&] {
    thread = ::gettid();
    return manager.tell("WATCHDOG=1");
  });
  auto const waits = [&] { return thread != 0 && system_call_of(thread) == std::to_string(SYS_sendto); };
  BOOST_REQUIRE(eventually(waits));
  BOOST_REQUIRE(::syscall(SYS_tgkill, ::getpid(), thread.load(), SIGUSR1) == 0);
  BOOST_REQUIRE(eventually([&] { return signals == 1; }));

  for (std::size_t i = 0; i < messages; ++i) BOOST_TEST(slow.receive() == "filled");
  BOOST_TEST(is_told.get());
  BOOST_TEST(slow.receive() == "WATCHDOG=1");
  ::sigaction(SIGUSR1, &before, nullptr);
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
