// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "program/system/client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace petstore::test {
namespace {

[[noreturn]] void fail(char const* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

bool same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return (x | 0x20) == (y | 0x20); });
}

}  // namespace

std::string answer::field(std::string_view name) const {
  std::string_view rest = head;
  while (!rest.empty()) {
    auto const line = rest.substr(0, rest.find("\r\n"));
    rest.remove_prefix(std::min(line.size() + 2, rest.size()));
    auto const colon = line.find(": ");
    if (colon != line.npos && same_name(line.substr(0, colon), name)) return std::string(line.substr(colon + 2));
  }
  return {};
}

connection::connection(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  if (socket_ < 0) fail("socket");
  timeval const patience{30, 0};
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket_, reinterpret_cast<sockaddr const*>(&address), sizeof address) != 0) {
    int const cause = errno;
    ::close(socket_);
    errno = cause;
    fail("connect");
  }
}

connection::~connection() {
  ::close(socket_);
}

void connection::send(std::string_view bytes) {
  while (!bytes.empty()) {
    auto const n = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) fail("send");
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

bool connection::read_some() {
  std::array<char, 16 * 1024> bytes{};
  auto const n = ::recv(socket_, bytes.data(), bytes.size(), 0);
  if (n < 0) fail("recv");
  buffer_.append(bytes.data(), static_cast<std::size_t>(n));
  return n > 0;
}

answer connection::receive() {
  while (buffer_.find("\r\n\r\n") == std::string::npos) {
    if (!read_some()) throw std::runtime_error("the server closed the connection without an answer");
  }
  answer out;
  auto const end = buffer_.find("\r\n\r\n");
  out.head = buffer_.substr(0, end + 2);
  buffer_.erase(0, end + 4);
  out.status = std::stoi(out.head.substr(out.head.find(' ') + 1));
  auto const length = out.field("Content-Length");
  std::size_t const size = length.empty() ? 0 : std::stoul(length);
  while (buffer_.size() < size) {
    if (!read_some()) throw std::runtime_error("the server cut an answer short");
  }
  out.body = buffer_.substr(0, size);
  buffer_.erase(0, size);
  return out;
}

answer ask(std::uint16_t port, std::string_view method, std::string_view target, std::string_view key,
           std::string_view body, std::vector<std::string> const& fields) {
  std::string request = std::string(method) + " " + std::string(target) + " HTTP/1.1\r\nHost: localhost\r\n";
  if (!key.empty()) request += "Authorization: Bearer " + std::string(key) + "\r\n";
  for (auto const& field : fields) request += field + "\r\n";
  if (!body.empty()) {
    request += "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
  }
  connection c(port);
  c.send(request + "Connection: close\r\n\r\n" + std::string(body));
  return c.receive();
}

}  // namespace petstore::test
