// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/tcp_handshakes.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>
#include <cerrno>

#include "petstore/server/listener.hpp"
#include "support/time_limit.hpp"

BOOST_AUTO_TEST_SUITE(handshakes)

namespace {

namespace asio = boost::asio;

/// A connection that is begun and not waited for.
class beginning_client {
 public:
  explicit beginning_client(std::uint16_t port)
      : fd_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)} {
    sockaddr_in there{};
    there.sin_family = AF_INET;
    there.sin_port = htons(port);
    there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::connect(fd_, reinterpret_cast<sockaddr const*>(&there), sizeof there);
  }
  ~beginning_client() { ::close(fd_); }
  beginning_client(beginning_client const&) = delete;
  beginning_client& operator=(beginning_client const&) = delete;

  bool has_ended_its_handshake(int wait_ms) const {
    pollfd p{fd_, POLLOUT, 0};
    return ::poll(&p, 1, wait_ms) == 1;
  }
  /// How it ended.
  int fault() const {
    int error = 0;
    socklen_t size = sizeof error;
    ::getsockopt(fd_, SOL_SOCKET, SO_ERROR, &error, &size);
    return error;
  }

 private:
  int fd_;
};

}  // namespace

// Over loopback a handshake is over when connect returns.
BOOST_AUTO_TEST_CASE(who_connects_too_late_is_refused_and_never_reset) {
  asio::io_context context;
  asio::any_io_executor const executor = context.get_executor();
  auto acceptors = petstore::server::open_acceptors({asio::ip::address_v4::loopback(), 0}, {executor});
  auto& acceptor = acceptors.front();
  auto const port = acceptor.local_endpoint().port();
  beginning_client const before{port};
  BOOST_TEST(before.has_ended_its_handshake(0));

  petstore::server::net::refuse_tcp_handshakes(acceptor);
  beginning_client const after{port};
  BOOST_TEST(!after.has_ended_its_handshake(0));

  boost::system::error_code ec;
  acceptor.non_blocking(true);
  auto const taken = acceptor.accept(ec);
  BOOST_TEST(!ec);
  acceptor.accept(ec);
  BOOST_TEST((ec == boost::system::errc::operation_would_block));
  acceptor.close();
  BOOST_TEST(after.has_ended_its_handshake(petstore::tests::time_limit_ms()));
  BOOST_TEST(after.fault() == ECONNREFUSED);
  BOOST_TEST(before.fault() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
