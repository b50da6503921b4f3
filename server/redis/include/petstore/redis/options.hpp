// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "petstore/redis/address.hpp"
#include "petstore/redis/reply.hpp"

namespace petstore::redis {

/// A change in the state of one server, for logs and metrics.
struct state_change {
  enum class kind : std::uint8_t {
    connected,       ///< to `where`
    lost,            ///< a connection was lost
    failed,          ///< an attempt to connect failed
    master_changed,  ///< a sentinel said that `where` is the master now
    map_changed,     ///< the cluster distributes its slots differently
  };

  kind what = kind::connected;
  std::string where;   ///< host:port, or a word for what was looked for
  std::string reason;  ///< a sentence where something failed
};

/// Limits of one client.
struct client_limits {
  using milliseconds = std::chrono::milliseconds;

  std::size_t calls_max = 4096;                   ///< waiting or under way, for each server
  std::size_t bytes_max = std::size_t{16} << 20;  ///< of calls not yet handed to the kernel, for each server
  reply_limits replies;

  milliseconds connect_max{1000};      ///< for name look-up, connect, TLS and greeting together
  milliseconds first_wait{20};         ///< before the second attempt to connect; doubles with each attempt, with jitter
  milliseconds longest_wait{1000};     ///< the longest wait before an attempt
  milliseconds heartbeat{1000};        ///< after this time without input, a PING is sent
  milliseconds silence_max{2000};      ///< a connection is closed when something sent has had no answer for this time
  milliseconds map_interval{50};       ///< the shortest time between two reads of the map of a cluster
  milliseconds try_again_interval{5};  ///< between attempts while a cluster moves the keys of a call
};

struct client_options {
  redis::address address;
  std::string name = "petstore";  ///< of the connections in the server's CLIENT LIST; no spaces
  client_limits limits;
  std::function<void(state_change const&)> on_state;  ///< on the client's executor; may be empty
};

/// Counted since the client was constructed.
struct client_counters {
  std::uint64_t calls = 0;               ///< begun
  std::uint64_t replies = 0;             ///< calls that returned a value
  std::uint64_t refused = 0;             ///< calls that failed and were certainly not executed
  std::uint64_t timed_out = 0;           ///< calls sent, without an answer in time
  std::uint64_t other_failures = 0;      ///< calls that failed otherwise
  std::uint64_t scripts_sent_whole = 0;  ///< EVAL, where the server did not have the script
  std::uint64_t redirections = 0;        ///< MOVED, ASK and TRYAGAIN
  std::uint64_t connections = 0;         ///< made
  std::uint64_t connections_lost = 0;
};

}  // namespace petstore::redis
