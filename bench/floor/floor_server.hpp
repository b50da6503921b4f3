// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The cheapest possible HTTP server: one thread, epoll, one recv and one send for requests that arrived together, and a
// fixed answer. It only looks for the end of each head, so requests must have no body. Its cost is that of the kernel;
// what another server costs more is its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sockets.hpp"

namespace petstore::bench {

class floor_server {
 public:
  /// Every answer has `answer_bytes` bytes with its head. Port 0 means any free port.
  floor_server(std::uint16_t port, std::size_t answer_bytes);

  std::uint16_t port() const { return port_of(listener_); }

  /// Serves requests that arrive within the time; a negative time is no limit.
  void serve_once(std::chrono::milliseconds at_most = std::chrono::milliseconds{-1});

 private:
  struct connection {
    descriptor socket;
    std::string unread;            ///< the first part of an incomplete head
    std::size_t unsent_bytes = 0;  ///< bytes of answers that are not sent yet
    bool is_blocked = false;       ///< the socket's buffer is full; nothing is read meanwhile
  };

  void accept_all();
  /// These two return false if the connection has ended.
  bool receive_requests(connection& c);
  bool send_answers(connection& c);

  static constexpr std::size_t receive_bytes = 64 * 1024;
  /// A longer head ends its connection.
  static constexpr std::size_t head_bytes_max = 16 * 1024;
  static constexpr std::size_t answers_at_once = 64;

  std::size_t answer_bytes_;
  std::string answers_;  ///< `answers_at_once` answers, one after the other
  std::vector<char> received_;
  descriptor listener_;
  epoll epoll_;
  std::map<int, connection> connections_;  ///< by descriptor; epoll's tags point into it
};

}  // namespace petstore::bench
