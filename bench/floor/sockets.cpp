// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "sockets.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace petstore::bench {
namespace {

constexpr int backlog = 4'096;

int checked(int outcome, char const* what) {
  if (outcome < 0) throw std::system_error(errno, std::generic_category(), what);
  return outcome;
}

sockaddr_in loopback(std::uint16_t port) noexcept {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

// The type that the socket calls take for every kind of address.
sockaddr* untyped(sockaddr_in& address) noexcept {
  return reinterpret_cast<sockaddr*>(&address);
}

void send_at_once(descriptor const& d) {
  int const on = 1;
  checked(setsockopt(d.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), "TCP_NODELAY");
}

transfer outcome_of(ssize_t n) noexcept {
  if (n > 0) return {.bytes = static_cast<std::size_t>(n)};
  return {.ended = n == 0 || (errno != EAGAIN && errno != EINTR)};
}

}  // namespace

descriptor::~descriptor() {
  if (number_ >= 0) close(number_);
}

descriptor listen_on_loopback(std::uint16_t port) {
  descriptor d(checked(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), "socket"));
  int const on = 1;
  checked(setsockopt(d.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on), "SO_REUSEADDR");
  auto address = loopback(port);
  checked(bind(d.get(), untyped(address), sizeof address), "bind");
  checked(listen(d.get(), backlog), "listen");
  return d;
}

std::uint16_t port_of(descriptor const& listener) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  checked(getsockname(listener.get(), untyped(address), &size), "getsockname");
  return ntohs(address.sin_port);
}

descriptor accept_one(descriptor const& listener) {
  int const number = accept4(listener.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  // A connection that was reset while it waited counts as none.
  if (number < 0 && (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED)) return {};
  descriptor d(checked(number, "accept"));
  send_at_once(d);
  return d;
}

descriptor connect_to_loopback(std::uint16_t port) {
  // The socket still blocks here: on loopback, connect returns at once.
  descriptor d(checked(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket"));
  auto address = loopback(port);
  checked(connect(d.get(), untyped(address), sizeof address), "connect");
  send_at_once(d);
  int const on = 1;
  checked(ioctl(d.get(), FIONBIO, &on), "FIONBIO");
  return d;
}

transfer receive(descriptor const& from, std::span<char> into) noexcept {
  return outcome_of(recv(from.get(), into.data(), into.size(), 0));
}

transfer send(descriptor const& to, std::span<char const> bytes) noexcept {
  return outcome_of(::send(to.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL));
}

epoll::epoll() : descriptor_(checked(epoll_create1(EPOLL_CLOEXEC), "epoll_create1")) {}

void epoll::add(descriptor const& d, std::uint32_t events, void* tag) {
  epoll_event event{.events = events, .data = {.ptr = tag}};
  checked(epoll_ctl(descriptor_.get(), EPOLL_CTL_ADD, d.get(), &event), "epoll_ctl");
}

void epoll::change(descriptor const& d, std::uint32_t events, void* tag) {
  epoll_event event{.events = events, .data = {.ptr = tag}};
  checked(epoll_ctl(descriptor_.get(), EPOLL_CTL_MOD, d.get(), &event), "epoll_ctl");
}

std::span<epoll_event const> epoll::wait(std::chrono::milliseconds at_most) {
  int const count = epoll_wait(descriptor_.get(), events_, events_at_once, static_cast<int>(at_most.count()));
  if (count < 0 && errno == EINTR) return {};
  return {events_, static_cast<std::size_t>(checked(count, "epoll_wait"))};
}

}  // namespace petstore::bench
