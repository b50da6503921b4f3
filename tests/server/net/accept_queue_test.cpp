// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/accept_queue.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>
#include <vector>

namespace asio = boost::asio;
using namespace std::chrono_literals;
using boost::asio::ip::tcp;
using petstore::server::net::accept_queue;

namespace {

constexpr int opened_for = 1'000;

tcp::acceptor open_acceptor(asio::io_context& context) {
  tcp::acceptor acceptor{context, tcp::v4()};
  acceptor.bind({asio::ip::address_v4::loopback(), 0});
  acceptor.listen(opened_for);
  return acceptor;
}

/// A queue in which a connection may wait for half a second.
struct queue_of_clients {
  asio::io_context context;
  tcp::acceptor acceptor = open_acceptor(context);
  accept_queue::time now{};
  accept_queue queue{acceptor, 500ms, now};
  std::vector<tcp::socket> clients;

  void connect(int count) {
    for (int i = 0; i < count; ++i) clients.emplace_back(context).connect(acceptor.local_endpoint());
  }
  void accept(int count) {
    for (int i = 0; i < count; ++i) acceptor.accept();
  }
  /// A quarter of a second in which so many were accepted.
  void pass(int accepted) {
    for (int i = 0; i < accepted; ++i) queue.accepted();
    queue.adapt(now += 250ms);
  }
  int limit() {
    tcp_info info{};
    socklen_t size = sizeof info;
    ::getsockopt(acceptor.native_handle(), IPPROTO_TCP, TCP_INFO, &info, &size);
    return static_cast<int>(info.tcpi_sacked);
  }
};

constexpr int shortest = accept_queue::shortest;

}  // namespace

BOOST_FIXTURE_TEST_SUITE(accept_queue_test, queue_of_clients)

BOOST_AUTO_TEST_CASE(it_says_how_many_wait) {
  BOOST_TEST(queue.waiting().value() == 0);
  connect(3);
  BOOST_TEST(queue.waiting().value() == 3);
  accept(2);
  BOOST_TEST(queue.waiting().value() == 1);
}

BOOST_AUTO_TEST_CASE(no_more_wait_than_can_be_accepted_in_time) {
  connect(300);
  pass(50);
  pass(50);
  BOOST_TEST(limit() == 100);
}

BOOST_AUTO_TEST_CASE(a_burst_is_let_through) {
  connect(300);
  pass(0);
  BOOST_TEST(limit() == opened_for);
  accept(300);
  pass(300);
  connect(300);
  pass(0);
  BOOST_TEST(limit() == opened_for);
}

BOOST_AUTO_TEST_CASE(while_they_are_accepted_in_time_as_many_may_wait_as_it_was_opened_for) {
  connect(300);
  pass(200);
  pass(200);
  BOOST_TEST(limit() == opened_for);
}

BOOST_AUTO_TEST_CASE(a_few_may_wait_although_none_is_accepted) {
  connect(shortest);
  pass(0);
  pass(0);
  BOOST_TEST(limit() == opened_for);
  connect(1);
  pass(0);
  pass(0);
  BOOST_TEST(limit() == shortest);
}

BOOST_AUTO_TEST_CASE(a_queue_that_stays_full_stays_short) {
  connect(300);
  pass(50);
  pass(50);
  accept(220);  // 80 of 100 wait
  pass(50);
  BOOST_TEST(limit() == 100);
}

BOOST_AUTO_TEST_CASE(a_queue_that_became_short_grows_again_to_what_it_was_opened_for) {
  connect(300);
  pass(50);
  pass(50);
  accept(300);
  std::vector<int> limits;
  for (int i = 0; i < 5; ++i) {
    pass(0);
    limits.push_back(limit());
  }
  BOOST_TEST(limits == (std::vector{200, 400, 800, opened_for, opened_for}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
