// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/socket_base.hpp>
#include <boost/system/system_error.hpp>
#include <cerrno>
#include <stdexcept>

#include "net/descriptor.hpp"
#include "petstore/server/acceptors.hpp"

namespace petstore::server {
namespace {

[[noreturn]] void throw_last_error(char const* call) {
  throw boost::system::system_error{errno, boost::system::system_category(), call};
}

/// Asio has no option for it.
void share_port(asio::ip::tcp::acceptor& acceptor) {
  int const on = 1;
  if (::setsockopt(acceptor.native_handle(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) != 0) {
    throw_last_error("setsockopt");
  }
}

asio::ip::tcp protocol_of(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) throw_last_error("getsockname");
  return address.ss_family == AF_INET6 ? asio::ip::tcp::v6() : asio::ip::tcp::v4();
}

}  // namespace

std::vector<asio::ip::tcp::acceptor> open_acceptors(asio::ip::tcp::endpoint endpoint,
                                                    std::vector<asio::any_io_executor> const& executors, int backlog) {
  std::vector<asio::ip::tcp::acceptor> acceptors;
  acceptors.reserve(executors.size());
  for (auto const& executor : executors) {
    bool const is_first = acceptors.empty();
    auto& acceptor = acceptors.emplace_back(executor);
    acceptor.open(endpoint.protocol());
    // So a restarted server need not wait until the kernel has forgotten the connections of the one before it.
    acceptor.set_option(asio::socket_base::reuse_address(true));
    // The first one binds without sharing, so that it fails where another program (or this one) listens already. After
    // that it shares with the others, but not with sockets that do not share as well.
    if (!is_first) share_port(acceptor);
    acceptor.bind(endpoint);
    if (is_first) {
      share_port(acceptor);
      endpoint = acceptor.local_endpoint();
    }
    acceptor.listen(backlog);
  }
  return acceptors;
}

std::vector<asio::ip::tcp::acceptor> adopt_acceptors(int socket, std::vector<asio::any_io_executor> const& executors,
                                                     int backlog) {
  if (executors.empty()) throw std::invalid_argument{"a socket needs an executor that accepts from it"};
  auto const protocol = protocol_of(socket);
  std::vector<asio::ip::tcp::acceptor> acceptors;
  acceptors.reserve(executors.size());
  for (auto const& executor : executors) {
    net::descriptor own{::fcntl(socket, F_DUPFD_CLOEXEC, 0)};
    if (own.get() < 0) throw_last_error("dup");
    acceptors.emplace_back(executor).assign(protocol, own.get());
    own.release();
  }
  // An earlier process may have shortened the queue.
  acceptors.front().listen(backlog);
  ::close(socket);
  return acceptors;
}

}  // namespace petstore::server
