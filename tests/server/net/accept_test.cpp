// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/accept.hpp"

#include <fcntl.h>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(accept_)

namespace {

namespace asio = boost::asio;
using petstore::server::net::accept;

struct fixture {
  fixture() { acceptor.native_non_blocking(true); }

  asio::io_context context{1};
  asio::ip::tcp::acceptor acceptor{context, {asio::ip::address_v4::loopback(), 0}};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(without_a_connection_it_says_so_at_once, fixture) {
  auto const none = accept(acceptor);
  BOOST_TEST(none.error == boost::system::errc::operation_would_block);
  BOOST_TEST(none.socket.get() == -1);
}

BOOST_FIXTURE_TEST_CASE(each_waiting_connection_is_accepted_once_with_its_peer, fixture) {
  for (int i = 0; i < 2; ++i) {
    asio::ip::tcp::socket client{context};
    client.connect(acceptor.local_endpoint());
    auto const one = accept(acceptor);
    BOOST_TEST(!one.error);
    BOOST_TEST(one.peer == client.local_endpoint());
    BOOST_TEST(accept(acceptor).error == boost::system::errc::operation_would_block);
  }
}

BOOST_FIXTURE_TEST_CASE(an_accepted_socket_does_not_block_and_no_child_inherits_it, fixture) {
  asio::ip::tcp::socket client{context};
  client.connect(acceptor.local_endpoint());
  auto const one = accept(acceptor);
  BOOST_TEST((::fcntl(one.socket.get(), F_GETFL) & O_NONBLOCK) != 0);
  BOOST_TEST((::fcntl(one.socket.get(), F_GETFD) & FD_CLOEXEC) != 0);
}

BOOST_FIXTURE_TEST_CASE(a_closed_acceptor_is_an_error, fixture) {
  acceptor.close();
  BOOST_TEST(accept(acceptor).error == boost::system::errc::bad_file_descriptor);
}

BOOST_AUTO_TEST_SUITE_END()
