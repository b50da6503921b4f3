// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "contract/http_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <system_error>

namespace contract {
namespace {

using std::chrono::milliseconds;

bool same_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

bool is_token(std::string_view text) {
  static constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           marks.find(c) != std::string_view::npos;
  });
}

template <class Integer>
Integer number_of(std::string_view text, int base = 10) {
  Integer value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
    throw http_error("not a number: " + std::string(text));
  }
  return value;
}

[[noreturn]] void fail_system(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

bool wait_for(int socket, short what, milliseconds limit) {
  pollfd wanted{socket, what, 0};
  int ready = 0;
  do {
    ready = ::poll(&wanted, 1, static_cast<int>(limit.count()));
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

sockaddr_in address_of(const std::string& text, std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  if (::inet_pton(AF_INET, text.c_str(), &address.sin_addr) != 1) throw http_error("not an address: " + text);
  return address;
}

}  // namespace

bool answer::has(std::string_view name) const {
  return !all(name).empty();
}

std::vector<std::string> answer::all(std::string_view name) const {
  std::vector<std::string> values;
  for (const auto& [field_name, value] : headers) {
    if (same_name(field_name, name)) values.push_back(value);
  }
  return values;
}

const std::string& answer::operator[](std::string_view name) const {
  const std::string* found = nullptr;
  for (const auto& [field_name, value] : headers) {
    if (!same_name(field_name, name)) continue;
    if (found) throw http_error("twice in one answer: " + std::string(name));
    found = &value;
  }
  if (!found) throw http_error("missing in a " + std::to_string(status) + ": " + std::string(name));
  return *found;
}

std::int64_t answer::integer(std::string_view name) const {
  return number_of<std::int64_t>((*this)[name]);
}

bool answer::closes() const {
  return has("Connection") && same_name((*this)["Connection"], "close");
}

std::string request::bytes() const {
  std::string out = method + ' ' + target + " HTTP/1.1\r\nHost: pets.example\r\n";
  for (const auto& [name, value] : headers) out += name + ": " + value + "\r\n";
  if (body) out += "Content-Length: " + std::to_string(body->size()) + "\r\n";
  return out + "\r\n" + body.value_or("");
}

connection::connection(std::uint16_t port, const std::string& source, const std::string& destination)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  if (socket_ < 0) fail_system("socket");
  const sockaddr_in here = address_of(source, 0);
  const sockaddr_in there = address_of(destination, port);
  const int on = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (::bind(socket_, reinterpret_cast<const sockaddr*>(&here), sizeof here) != 0 ||
      ::connect(socket_, reinterpret_cast<const sockaddr*>(&there), sizeof there) != 0) {
    const int error = errno;
    ::close(socket_);
    throw std::system_error(error, std::generic_category(), "connect");
  }
}

connection::connection(connection&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      interim_(other.interim_),
      asked_at_(other.asked_at_),
      unread_(std::move(other.unread_)) {}

connection& connection::operator=(connection&& other) noexcept {
  std::swap(socket_, other.socket_);
  std::swap(interim_, other.interim_);
  std::swap(asked_at_, other.asked_at_);
  std::swap(unread_, other.unread_);
  return *this;
}

connection::~connection() {
  if (socket_ >= 0) ::close(socket_);
}

void connection::send(std::string_view bytes) {
  asked_at_ = std::time(nullptr);
  while (!bytes.empty()) {
    if (!wait_for(socket_, POLLOUT, patience)) throw http_error("the peer does not read");
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) fail_system("send");
    if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

answer connection::exchange(const request& wanted) {
  send(wanted.bytes());
  return receive(wanted.method == "HEAD");
}

answer connection::receive(bool to_head) {
  answer result;
  const std::string status_line = take_line();
  result.version = status_line.substr(0, 8);
  const bool well_formed = (result.version == "HTTP/1.1" || result.version == "HTTP/1.0") && status_line.size() >= 13 &&
                           status_line[8] == ' ' && status_line[12] == ' ';
  if (!well_formed) throw http_error("status line: " + status_line);
  result.status = number_of<int>(std::string_view(status_line).substr(9, 3));

  constexpr std::size_t line_end = 2;
  result.head_bytes = status_line.size() + 2 * line_end;
  for (std::string line = take_line(); !line.empty(); line = take_line()) {
    result.head_bytes += line.size() + line_end;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || !is_token(std::string_view(line).substr(0, colon))) {
      throw http_error("field line: " + line);
    }
    std::string value = line.substr(colon + 1);
    value.erase(0, value.find_first_not_of(' '));
    if (value.find_first_of("\r\n\0", 0, 3) != std::string::npos) throw http_error("field value: " + line);
    result.headers.emplace_back(line.substr(0, colon), std::move(value));
  }

  if (result.status < 200) {
    ++interim_;
    return receive(to_head);
  }
  const bool chunked = result.has("Transfer-Encoding");
  if (chunked && result.has("Content-Length")) throw http_error("both framings in one answer");
  if (result.status == 204 && (chunked || result.has("Content-Length"))) throw http_error("a 204 with a framing");
  if (!to_head && result.status != 204 && result.status != 304)
    result.body = chunked ? take_chunks() : take_bytes(number_of<std::size_t>(result["Content-Length"]));
  result.asked_at = asked_at_;
  result.received_at = std::time(nullptr);
  return result;
}

bool connection::ends_within(milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (unread_.empty()) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0 || !wait_for(socket_, POLLIN, left)) return false;
    if (!read_some(left)) return true;
  }
  return false;
}

bool connection::receives_within(milliseconds limit) const {
  return !unread_.empty() || wait_for(socket_, POLLIN, limit);
}

std::string connection::rest() {
  while (read_some(patience)) {
  }
  return std::exchange(unread_, {});
}

// False at the end of the stream; a reset is an end too.
bool connection::read_some(milliseconds limit) {
  if (!wait_for(socket_, POLLIN, limit)) throw http_error("no answer in time; so far: " + unread_.substr(0, 400));
  char buffer[16384];
  const ssize_t count = ::recv(socket_, buffer, sizeof buffer, 0);
  if (count < 0 && errno != ECONNRESET) fail_system("recv");
  if (count <= 0) return false;
  unread_.append(buffer, static_cast<std::size_t>(count));
  return true;
}

std::string connection::take_line() {
  std::size_t end = 0;
  while ((end = unread_.find('\n')) == std::string::npos) {
    if (!read_some(patience)) throw http_error("the connection ended in a header: " + unread_.substr(0, 400));
  }
  if (end == 0 || unread_[end - 1] != '\r') throw http_error("a line without CRLF: " + unread_.substr(0, end));
  std::string line = unread_.substr(0, end - 1);
  unread_.erase(0, end + 1);
  return line;
}

std::string connection::take_bytes(std::size_t count) {
  while (unread_.size() < count) {
    if (!read_some(patience)) throw http_error("the connection ended in a body");
  }
  std::string bytes = unread_.substr(0, count);
  unread_.erase(0, count);
  return bytes;
}

std::string connection::take_chunks() {
  std::string body;
  while (true) {
    const auto size = number_of<std::size_t>(take_line(), 16);
    body += take_bytes(size);
    if (!take_line().empty()) throw http_error("a chunk that does not end");
    if (size == 0) return body;
  }
}

}  // namespace contract
