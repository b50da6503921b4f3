// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/listener.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>
#include <deque>
#include <string>
#include <thread>

#include "server/live_listener.hpp"
#include "server/test_client.hpp"

using namespace std::chrono_literals;
using petstore::server::connection_budget;
using petstore::server::open_acceptors;
using petstore::testing::client_error;
using petstore::testing::live_listener;
using petstore::testing::path_handler;
using petstore::testing::test_client;
namespace asio = boost::asio;

namespace {

std::string const good = "GET /good HTTP/1.1\r\nHost: a\r\n\r\n";
asio::ip::tcp::endpoint const any_port{asio::ip::address_v4::loopback(), 0};

std::vector<asio::any_io_executor> times(std::size_t n, asio::io_context& context) {
  asio::any_io_executor const executor = context.get_executor();
  return std::vector<asio::any_io_executor>(n, executor);
}

bool is_ready(std::future<void> const& f) {
  return f.wait_for(0s) == std::future_status::ready;
}

/// Leaves the process without free descriptors until destroyed.
class no_descriptors {
 public:
  no_descriptors() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    int const next = ::dup(0);
    rlimit lowered = before_;
    lowered.rlim_cur = static_cast<rlim_t>(next) + 16;
    ::setrlimit(RLIMIT_NOFILE, &lowered);
    for (int fd = next; fd >= 0; fd = ::dup(0)) taken_.push_back(fd);
  }
  ~no_descriptors() {
    for (int const fd : taken_) ::close(fd);
    ::setrlimit(RLIMIT_NOFILE, &before_);
  }

 private:
  rlimit before_{};
  std::vector<int> taken_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(listener)

BOOST_AUTO_TEST_CASE(acceptors_of_several_threads_share_a_port) {
  asio::io_context context;
  auto const acceptors = open_acceptors(any_port, times(3, context));
  BOOST_REQUIRE(acceptors.size() == 3u);
  for (auto const& a : acceptors) BOOST_TEST(a.local_endpoint() == acceptors[0].local_endpoint());
}

BOOST_AUTO_TEST_CASE(a_port_in_use_is_an_error_even_when_its_owner_shares_it) {
  asio::io_context context;
  auto const two = times(2, context);
  auto const acceptors = open_acceptors(any_port, two);
  BOOST_CHECK_EXCEPTION(open_acceptors(acceptors[0].local_endpoint(), two), boost::system::system_error,
                        [](auto const& e) { return e.code() == asio::error::address_in_use; });
}

BOOST_AUTO_TEST_CASE(the_budget_is_never_exceeded_by_any_number_of_threads) {
  connection_budget budget{50};
  std::atomic<int> got{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) got += budget.take() ? 1 : 0;
    });
  }
  for (auto& t : threads) t.join();
  BOOST_TEST(got == 50);
  BOOST_TEST(budget.in_use() == 50u);
  BOOST_TEST(!budget.take());
  budget.give_back();
  BOOST_TEST(budget.take());
}

BOOST_AUTO_TEST_CASE(one_connection_too_many_is_answered_503_at_once) {
  live_listener server{{}, 2};
  test_client first{server.port()}, second{server.port()};
  BOOST_TEST(first.exchange(good).status == 200);
  BOOST_TEST(second.exchange(good).status == 200);
  {
    test_client third{server.port()};
    auto const answer = third.receive();
    BOOST_TEST(answer.status == 503);
    BOOST_TEST(answer.closes());
    BOOST_TEST(third.ends_in_order());
  }
  BOOST_TEST(first.exchange("GET /close HTTP/1.1\r\nHost: a\r\n\r\n").closes());
  BOOST_TEST(first.ends_in_order());
  // The place is free once the server has seen that the first client has left.
  first.reset();
  for (int status = 503; status == 503;) {
    test_client fourth{server.port()};
    status = fourth.try_send(good) ? fourth.receive().status : 503;
    if (status != 503) BOOST_TEST(status == 200);
  }
}

BOOST_AUTO_TEST_CASE(connections_beyond_count_are_all_turned_away) {
  live_listener server{{}, 0};
  std::deque<test_client> clients;
  for (int i = 0; i < 150; ++i) clients.emplace_back(server.port());
  for (auto& client : clients) {
    BOOST_TEST(client.receive().status == 503);
    BOOST_TEST(client.ends_in_order());
  }
  clients.clear();
  server.stop().wait();
  BOOST_TEST(server.answers().size() == 150u);
}

BOOST_AUTO_TEST_CASE(without_descriptors_connections_are_refused_and_later_taken_again) {
#ifdef __SANITIZE_ADDRESS__
  // UndefinedBehaviorSanitizer, which that build has too, opens a pipe to look at a vptr, and takes having no
  // descriptor for a bad one.
  BOOST_TEST_MESSAGE("SKIPPED: this sanitizer needs descriptors of its own");
  return;
#else
  live_listener server;
  std::deque<test_client> clients(3);
  {
    no_descriptors const none;
    for (auto& client : clients) {
      client.connect(server.port());
      BOOST_TEST(client.receive().status == 503);
      BOOST_TEST(client.ends_in_order());
    }
  }
  test_client client{server.port()};
  BOOST_TEST(client.exchange(good).status == 200);
  // However often it was tried, the log is not filled.
  BOOST_TEST(server.events().size() >= 1u);
  BOOST_TEST(server.events().size() < 100u);
#endif
}

BOOST_AUTO_TEST_CASE(a_drain_is_announced_and_still_accepts) {
  live_listener server;
  test_client before{server.port()};
  BOOST_TEST(!before.exchange(good).closes());
  server.begin_drain();
  test_client after{server.port()};
  for (auto* client : {&before, &after}) {
    BOOST_TEST(client->exchange(good).closes());
    BOOST_TEST(client->ends_in_order());
  }
}

BOOST_AUTO_TEST_CASE(stopping_closes_the_port_and_idle_connections) {
  live_listener server;
  test_client idle{server.port()}, silent{server.port()};
  BOOST_TEST(idle.exchange(good).status == 200);
  auto const stopped = server.stop();
  BOOST_TEST(idle.ends_in_order());
  BOOST_TEST(silent.ends_in_order());
  stopped.wait();
  BOOST_CHECK_THROW(test_client{server.port()}, client_error);
}

BOOST_AUTO_TEST_CASE(stopping_finishes_what_is_being_served) {
  live_listener server;
  test_client client{server.port()};
  client.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
  server.handler().entered.acquire();
  auto const stopped = server.stop();
  BOOST_TEST(server.session_count() == 1u);
  BOOST_TEST(!is_ready(stopped));
  server.release();
  auto const answer = client.receive();
  BOOST_TEST(answer.status == 200);
  BOOST_TEST(answer.closes());
  BOOST_TEST(client.ends_in_order());
  client.reset();
  stopped.wait();
}

BOOST_AUTO_TEST_CASE(stopping_finishes_a_request_that_has_begun) {
  live_listener server;
  test_client client{server.port()};
  client.send(good + "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na");
  BOOST_TEST(client.receive().status == 200);
  auto const stopped = server.stop();
  BOOST_TEST(server.session_count() == 1u);
  client.send("bc");
  BOOST_TEST(client.receive().closes());
  BOOST_TEST(client.ends_in_order());
  client.reset();
  stopped.wait();
}

BOOST_AUTO_TEST_CASE(stopping_serves_what_the_kernel_had_accepted) {
  live_listener server;
  test_client kept{server.port()};
  BOOST_TEST(kept.exchange(good).status == 200);
  auto const go_on = server.hold();
  std::deque<test_client> queued;
  for (int i = 0; i < 20; ++i) queued.emplace_back(server.port()).send(good);
  kept.send(good);
  auto const stopped = server.stop();
  go_on->set_value();
  for (auto& client : queued) {
    BOOST_TEST(client.receive().closes());
    BOOST_TEST(client.ends_in_order());
  }
  BOOST_TEST(kept.receive().closes());
  queued.clear();
  kept.reset();
  stopped.wait();
}

BOOST_AUTO_TEST_CASE(stopping_breaks_off_what_takes_too_long) {
  live_listener server;
  test_client client{server.port()};
  client.send(good + "GET /never HTTP/1.1\r\n");
  BOOST_TEST(client.receive().status == 200);
  server.stop(0ms).wait();
  BOOST_TEST(client.receive_rest().empty());
  BOOST_TEST(server.budget().in_use() == 0u);
}

BOOST_AUTO_TEST_CASE(a_listener_that_was_never_started_stops_at_once) {
  asio::io_context context;
  path_handler handler{context};
  connection_budget budget{1};
  auto const one = times(1, context);
  petstore::server::listener idle{std::move(open_acceptors(any_port, one).front()), handler, {}, budget, {}, {}};
  bool is_stopped = false;
  auto stopping = idle.stop(1h);
  asio::co_spawn(context, std::move(stopping), [&](std::exception_ptr) { is_stopped = true; });
  context.run();
  BOOST_TEST(is_stopped);
}

BOOST_AUTO_TEST_CASE(a_listener_may_be_destroyed_without_being_stopped) {
  asio::io_context context;
  path_handler handler{context};
  connection_budget budget{10};
  auto const one = times(1, context);
  std::optional<petstore::server::listener> dropped;
  dropped.emplace(std::move(open_acceptors(any_port, one).front()), handler, petstore::server::connection_limits{},
                  budget, petstore::server::log_function{}, petstore::server::access_log_function{});
  dropped->start();
  test_client client{dropped->local_endpoint().port()};
  client.send("GET / HTTP/1.1\r\n");
  while (dropped->session_count() == 0) context.run_one();
  dropped.reset();
  context.run();
  BOOST_TEST(budget.in_use() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
