// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The least that answering HTTP over sockets can cost: one thread, epoll, one recv and one send for what has arrived
// together, and an answer that was made before. It looks for the end of each head and at nothing else of it, so
// requests must have no body. What a server costs above this is its own; what this costs is the kernel's.
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
  /// Every answer has so many bytes, head included. A port of 0 takes a free one.
  floor_server(std::uint16_t port, std::size_t answer_bytes);

  std::uint16_t port() const { return port_of(listener_); }

  /// Serves what arrives within the time; a negative one is no limit.
  void serve_once(std::chrono::milliseconds at_most = std::chrono::milliseconds{-1});

 private:
  struct connection {
    descriptor socket;
    std::string unread;            ///< the beginning of a head whose end has not come
    std::size_t unsent_bytes = 0;  ///< of answers
    bool awaits_room = false;      ///< for them, and reads nothing meanwhile
  };

  void accept_all();
  /// These two say whether the connection lives on.
  bool receive_requests(connection& c);
  bool send_answers(connection& c);

  static constexpr std::size_t receive_bytes = 64 * 1024;
  /// A head that is longer than this ends its connection.
  static constexpr std::size_t head_bytes_max = 16 * 1024;
  static constexpr std::size_t answers_at_once = 64;

  std::size_t answer_bytes_;
  std::string answers_;  ///< so many of them, back to back
  std::vector<char> received_;
  descriptor listener_;
  epoll epoll_;
  std::map<int, connection> connections_;  ///< by descriptor; epoll's tags point into it
};

}  // namespace petstore::bench
