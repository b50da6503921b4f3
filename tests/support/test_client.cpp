// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "support/test_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "support/client_side.hpp"
#include "support/time_limit.hpp"

namespace petstore::tests {
namespace {

bool all_speak_tls = false;

[[noreturn]] void throw_client_error(char const* what) {
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

auto has_name(std::string_view name) {
  return [name](auto const& field) {
    return field.first.size() == name.size() && ::strncasecmp(field.first.data(), name.data(), name.size()) == 0;
  };
}

}  // namespace

std::size_t client_answer::count(std::string_view name) const {
  return static_cast<std::size_t>(std::ranges::count_if(fields, has_name(name)));
}

std::string const& client_answer::at(std::string_view name) const {
  if (count(name) != 1) throw client_error{"not there exactly once: " + std::string{name}};
  return std::ranges::find_if(fields, has_name(name))->second;
}

void test_client::speak_tls() {
  all_speak_tls = true;
}

test_client test_client::in_the_clear() {
  test_client client;
  client.tls_.reset();
  return client;
}

test_client test_client::over_tls(std::uint16_t port) {
  test_client client;
  client.tls_ = std::make_unique<client_side>();
  client.connect(port);
  return client;
}

test_client::test_client(test_client&& other) noexcept
    : fd_{std::exchange(other.fd_, -1)}, tls_{std::move(other.tls_)}, unread_{std::move(other.unread_)} {}

test_client::test_client() : fd_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
  if (fd_ < 0) throw_client_error("socket");
  if (all_speak_tls) tls_ = std::make_unique<client_side>();
  int const on = 1;
  ::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

test_client::test_client(std::uint16_t port, char const* from) : test_client{} {
  sockaddr_in here{};
  here.sin_family = AF_INET;
  here.sin_addr.s_addr = ::inet_addr(from);
  if (::bind(fd_, reinterpret_cast<sockaddr const*>(&here), sizeof here) != 0) throw_client_error("bind");
  connect(port);
}

void test_client::connect(std::uint16_t port) {
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_port = htons(port);
  there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd_, reinterpret_cast<sockaddr const*>(&there), sizeof there) != 0) throw_client_error("connect");
}

void test_client::set_receive_buffer(int bytes) {
  ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

test_client::~test_client() {
  if (fd_ >= 0) ::close(fd_);
}

void test_client::send(std::string_view bytes) {
  if (!try_send(bytes)) throw_client_error("send");
}

bool test_client::try_send(std::string_view bytes) {
  if (!tls_) return send_bytes(bytes);
  if (!shake_hands()) return false;
  tls_->encrypt(bytes);
  return send_bytes(tls_->take_output());
}

/// Finishes the handshake. Returns true at once if it is done already.
bool test_client::shake_hands() {
  while (!tls_->shake_hands()) {
    std::string came;
    if (!send_bytes(tls_->take_output()) || !read_bytes(came)) return false;
    tls_->feed(came);
  }
  return send_bytes(tls_->take_output());
}

bool test_client::send_bytes(std::string_view bytes) {
  while (!bytes.empty()) {
    if (!wait_for(fd_, POLLOUT, time_limit_ms())) return false;
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
  answer.head = line + "\r\n";
  for (std::string field = take_line(); !field.empty(); field = take_line()) {
    auto const colon = field.find(": ");
    if (colon == std::string::npos) throw client_error{"field line: " + field};
    answer.head += field + "\r\n";
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

std::string test_client::receive_some() {
  if (unread_.empty()) read_some();
  return std::exchange(unread_, {});
}

std::string test_client::certificate_of_server() const {
  return tls_->certificate_of_server();
}

bool test_client::ends_in_order() {
  return unread_.empty() && !read_some() && !was_reset_ && (!tls_ || tls_->has_heard_end());
}

bool test_client::has_something(int wait_ms) {
  while (tls_ && unread_.empty() && !has_ended_ && wait_for(fd_, POLLIN, wait_ms)) has_ended_ = !read_record();
  return !unread_.empty() || has_ended_ || (!tls_ && wait_for(fd_, POLLIN, wait_ms));
}

void test_client::shutdown_send() {
  if (tls_) {
    tls_->say_end();
    send_bytes(tls_->take_output());
  }
  ::shutdown(fd_, SHUT_WR);
}

void test_client::close() {
  ::close(std::exchange(fd_, -1));
}

void test_client::reset() {
  linger const at_once{1, 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  ::close(std::exchange(fd_, -1));
}

bool test_client::read_some() {
  if (!tls_) return read_bytes(unread_);
  // A record may hold a session ticket or a close_notify instead of bytes of an answer.
  auto const before = unread_.size();
  while (read_record()) {
    if (unread_.size() != before) return true;
  }
  return false;
}

bool test_client::read_record() {
  if (has_ended_ || !shake_hands()) return false;
  std::string came;
  if (!read_bytes(came)) return false;
  tls_->feed(came);
  unread_ += tls_->decrypt();
  return true;
}

bool test_client::read_bytes(std::string& to) {
  if (!wait_for(fd_, POLLIN, time_limit_ms())) throw client_error{"nothing comes; so far: " + unread_.substr(0, 200)};
  char buffer[16384];
  ssize_t const n = ::recv(fd_, buffer, sizeof buffer, 0);
  if (n < 0 && errno != ECONNRESET) throw_client_error("recv");
  was_reset_ = n < 0;
  if (n <= 0) return false;
  to.append(buffer, static_cast<std::size_t>(n));
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

client_answer ask(std::uint16_t port, std::string_view method, std::string_view target, std::string_view key,
                  std::string_view body, std::vector<std::string> const& fields) {
  auto request = std::string{method} + " " + std::string{target} + " HTTP/1.1\r\nHost: localhost\r\n";
  if (!key.empty()) request += "Authorization: Bearer " + std::string{key} + "\r\n";
  for (auto const& field : fields) request += field + "\r\n";
  if (!body.empty()) {
    request += "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
  }
  auto client = test_client::in_the_clear();
  client.connect(port);
  return client.exchange(request + "Connection: close\r\n\r\n" + std::string{body});
}

}  // namespace petstore::tests
