// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "floor_server.hpp"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "framing.hpp"

namespace petstore::bench {

floor_server::floor_server(std::uint16_t port, std::size_t answer_bytes)
    : answer_bytes_(answer_bytes), received_(receive_bytes), listener_(listen_on_loopback(port)) {
  auto const one = make_answer(answer_bytes);
  for (std::size_t i = 0; i < answers_at_once; ++i) answers_ += one;
  epoll_.add(listener_, EPOLLIN, nullptr);
}

void floor_server::serve_once(std::chrono::milliseconds at_most) {
  for (auto const& event : epoll_.wait(at_most)) {
    if (event.data.ptr == nullptr) {
      accept_all();
      continue;
    }
    auto& c = *static_cast<connection*>(event.data.ptr);
    bool const lives = c.is_blocked ? send_answers(c) : receive_requests(c);
    if (!lives) connections_.erase(c.socket.get());
  }
}

void floor_server::accept_all() {
  for (;;) {
    auto socket = accept_one(listener_);
    if (socket.get() < 0) return;
    int const number = socket.get();
    auto& c = connections_[number];
    c.socket = std::move(socket);
    epoll_.add(c.socket, EPOLLIN, &c);
  }
}

bool floor_server::receive_requests(connection& c) {
  auto const kept = c.unread.size();
  std::copy(c.unread.begin(), c.unread.end(), received_.begin());
  auto const got = receive(c.socket, std::span(received_).subspan(kept));
  if (got.bytes == 0) return !got.ended;

  std::string_view rest(received_.data(), kept + got.bytes);
  std::size_t requests = 0;
  while (auto const length = head_length(rest)) {
    rest.remove_prefix(length);
    ++requests;
  }
  if (rest.size() > head_bytes_max) return false;
  c.unread = rest;
  if (requests == 0) return true;
  c.unsent_bytes = requests * answer_bytes_;
  return send_answers(c);
}

bool floor_server::send_answers(connection& c) {
  while (c.unsent_bytes > 0) {
    // The unsent bytes end with the end of an answer, so their number says where in an answer they begin.
    auto const begin = (answer_bytes_ - c.unsent_bytes % answer_bytes_) % answer_bytes_;
    auto const length = std::min(c.unsent_bytes, answers_.size() - begin);
    auto const sent = send(c.socket, std::span(answers_).subspan(begin, length));
    if (sent.ended) return false;
    if (sent.bytes == 0) {
      if (!std::exchange(c.is_blocked, true)) epoll_.change(c.socket, EPOLLOUT, &c);
      return true;
    }
    c.unsent_bytes -= sent.bytes;
  }
  if (std::exchange(c.is_blocked, false)) epoll_.change(c.socket, EPOLLIN, &c);
  return true;
}

}  // namespace petstore::bench
