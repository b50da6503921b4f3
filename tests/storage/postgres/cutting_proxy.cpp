// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "storage/postgres/cutting_proxy.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

namespace petstore::tests {
namespace {

constexpr int poll_interval_ms = 5;
constexpr int trickle_pause_ms = static_cast<int>(cutting_proxy::trickle_pause.count());

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

int open_socket() {
  int const s = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (s < 0) throw std::system_error(errno, std::generic_category(), "socket");
  return s;
}

void send_all(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    auto const sent = ::send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

/// Empty at the end of the connection.
std::string receive(int from) {
  std::array<char, 65536> buffer;
  auto const received = ::recv(from, buffer.data(), buffer.size(), 0);
  return received <= 0 ? std::string{} : std::string{buffer.data(), static_cast<std::size_t>(received)};
}

}  // namespace

struct cutting_proxy::pair {
  int client = -1;
  int server = -1;
  bool drops_answer = false;
  bool trickles = false;
  bool is_silent = false;
  std::string kept{};  ///< for the server, when a standstill is over
};

cutting_proxy::cutting_proxy(std::uint16_t server_port) : server_port_(server_port), listener_(open_socket()) {
  auto address = loopback(0);
  socklen_t size = sizeof address;
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listener_, 64) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::system_error(errno, std::generic_category(), "listen");
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { work(); });
}

cutting_proxy::~cutting_proxy() {
  stopped_ = true;
  thread_.join();
  for (auto const& p : pairs_) {
    ::close(p.client);
    ::close(p.server);
  }
  ::close(listener_);
}

std::string cutting_proxy::uri(std::string_view direct) const {
  auto const begin = direct.find("///") + 3;
  auto const database = direct.substr(begin, direct.find('?') - begin);
  return "postgres://petstore@127.0.0.1:" + std::to_string(port_) + "/" + std::string{database};
}

void cutting_proxy::arm(cut what, std::string mark) {
  mark_ = std::move(mark);
  cuts_ = 0;
  armed_ = what;
}

void cutting_proxy::refuse(bool on) noexcept {
  refuses_ = on;
}

void cutting_proxy::release() {
  int const server = kept_server_.exchange(-1);
  send_all(server, kept_bytes_);
  receive(server);
  ::close(server);
}

void cutting_proxy::work() {
  while (!stopped_) {
    if (stands_still_) {
      ::poll(nullptr, 0, poll_interval_ms);
      continue;
    }
    for (auto& p : pairs_) send_all(p.server, std::exchange(p.kept, {}));
    std::vector<pollfd> waiting{{.fd = listener_, .events = POLLIN, .revents = 0}};
    for (auto const& p : pairs_) {
      waiting.push_back({.fd = p.client, .events = POLLIN, .revents = 0});
      waiting.push_back({.fd = p.server, .events = POLLIN, .revents = 0});
    }
    if (::poll(waiting.data(), waiting.size(), poll_interval_ms) <= 0) continue;
    std::vector<pair> left;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      auto& p = pairs_[i];
      bool open = true;
      if (waiting[1 + 2 * i].revents != 0 && !stands_still_) open = forward_request(p);
      if (open && waiting[2 + 2 * i].revents != 0 && !stands_still_) open = forward_answer(p);
      if (open) {
        left.push_back(p);
      } else {
        ::close(p.client);
        if (p.server >= 0) ::close(p.server);
      }
    }
    pairs_ = std::move(left);
    if (waiting[0].revents != 0) accept_one();
  }
}

void cutting_proxy::accept_one() {
  int const client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (client < 0) return;
  int const server = open_socket();
  auto const address = loopback(server_port_);
  if (refuses_ || ::connect(server, reinterpret_cast<sockaddr const*>(&address), sizeof address) != 0) {
    ::close(client);
    ::close(server);
    return;
  }
  pairs_.push_back({.client = client, .server = server});
}

/// false: the connection is over.
bool cutting_proxy::forward_request(pair& p) {
  auto const bytes = receive(p.client);
  if (bytes.empty()) return false;
  if (p.is_silent) return true;
  auto const what = armed_.load();
  if (what != cut::nothing && bytes.find(mark_) != bytes.npos) {
    armed_ = cut::nothing;
    switch (what) {
      case cut::nothing: break;
      case cut::before_server: ++cuts_; return false;
      case cut::after_server: p.drops_answer = true; break;
      case cut::kept_back:
        kept_bytes_ = bytes;
        kept_server_ = std::exchange(p.server, -1);
        ++cuts_;
        return false;
      case cut::silence:
        p.is_silent = true;
        ++cuts_;
        return true;
      case cut::trickle: p.trickles = true; break;
      case cut::standstill:
        p.kept = bytes;
        stands_still_ = true;
        ++cuts_;
        return true;
    }
  }
  send_all(p.server, bytes);
  return true;
}

bool cutting_proxy::forward_answer(pair& p) {
  auto const bytes = receive(p.server);
  if (bytes.empty()) return false;
  if (p.is_silent) return true;
  if (p.drops_answer) {
    ++cuts_;
    return false;
  }
  std::string_view left = bytes;
  if (std::exchange(p.trickles, false)) {
    ++cuts_;
    for (std::size_t i = 0; i < trickled_bytes && !left.empty(); ++i, left.remove_prefix(1)) {
      send_all(p.client, left.substr(0, 1));
      ::poll(nullptr, 0, trickle_pause_ms);
    }
  }
  send_all(p.client, left);
  return true;
}

}  // namespace petstore::tests
