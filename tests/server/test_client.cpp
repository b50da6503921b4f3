// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "server/test_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "field.hpp"

namespace petstore::testing {
namespace {

constexpr int patience_ms = 20'000;

[[noreturn]] void fail(char const* what) {
  throw client_error{std::string{what} + ": " + std::strerror(errno)};
}

bool wait_for(int fd, short events, int timeout_ms) {
  pollfd p{fd, events, 0};
  int n = 0;
  do {
    n = ::poll(&p, 1, timeout_ms);
  } while (n < 0 && errno == EINTR);
  return n > 0;
}

}  // namespace

std::size_t client_answer::count(std::string_view name) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(fields, [&](auto const& f) { return server::equals_ignoring_case(f.first, name); }));
}

std::string const& client_answer::at(std::string_view name) const {
  if (count(name) != 1) throw client_error{"not there exactly once: " + std::string{name}};
  return std::ranges::find_if(fields, [&](auto const& f) { return server::equals_ignoring_case(f.first, name); })
      ->second;
}

test_client::test_client() : fd_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
  if (fd_ < 0) fail("socket");
  int const on = 1;
  ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

void test_client::connect(std::uint16_t port) {
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_port = htons(port);
  there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd_, reinterpret_cast<sockaddr const*>(&there), sizeof there) != 0) fail("connect");
}

void test_client::set_receive_buffer(int bytes) {
  ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

test_client::~test_client() {
  if (fd_ >= 0) ::close(fd_);
}

void test_client::send(std::string_view bytes) {
  if (!try_send(bytes)) fail("send");
}

bool test_client::try_send(std::string_view bytes) {
  while (!bytes.empty()) {
    if (!wait_for(fd_, POLLOUT, patience_ms)) return false;
    ssize_t const n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno != EAGAIN && errno != EINTR) return false;
    if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

client_answer test_client::receive(bool to_head) {
  client_answer answer;
  std::string const line = take_line();
  if (!line.starts_with("HTTP/1.1 ") || line.size() < 13 || line[12] != ' ') throw client_error{"status line: " + line};
  answer.status = std::stoi(line.substr(9, 3));
  for (std::string field = take_line(); !field.empty(); field = take_line()) {
    auto const colon = field.find(": ");
    if (colon == std::string::npos) throw client_error{"field line: " + field};
    answer.fields.emplace_back(field.substr(0, colon), field.substr(colon + 2));
  }
  if (to_head || answer.count("Content-Length") == 0) return answer;
  std::size_t const size = std::stoul(answer.at("Content-Length"));
  while (unread_.size() < size) {
    if (!read_some()) throw client_error{"the connection ended in a body"};
  }
  answer.body = unread_.substr(0, size);
  unread_.erase(0, size);
  return answer;
}

std::string test_client::receive_rest() {
  while (read_some()) {
  }
  return std::exchange(unread_, {});
}

bool test_client::ends_in_order() {
  return unread_.empty() && !read_some() && !was_reset_;
}

bool test_client::has_something(int wait_ms) const {
  return !unread_.empty() || wait_for(fd_, POLLIN, wait_ms);
}

void test_client::shutdown_send() {
  ::shutdown(fd_, SHUT_WR);
}

void test_client::reset() {
  linger const at_once{1, 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  ::close(std::exchange(fd_, -1));
}

bool test_client::read_some() {
  if (!wait_for(fd_, POLLIN, patience_ms)) throw client_error{"nothing comes; so far: " + unread_.substr(0, 200)};
  char buffer[16384];
  ssize_t const n = ::recv(fd_, buffer, sizeof buffer, 0);
  if (n < 0 && errno != ECONNRESET) fail("recv");
  was_reset_ = n < 0;
  if (n <= 0) return false;
  unread_.append(buffer, static_cast<std::size_t>(n));
  return true;
}

std::string test_client::take_line() {
  std::size_t end = 0;
  while ((end = unread_.find("\r\n")) == std::string::npos) {
    if (!read_some()) throw client_error{"the connection ended in a head: " + unread_.substr(0, 200)};
  }
  std::string line = unread_.substr(0, end);
  unread_.erase(0, end + 2);
  return line;
}

}  // namespace petstore::testing
