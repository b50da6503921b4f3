// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "petstore/redis/address.hpp"
#include "petstore/redis/reply.hpp"

namespace petstore::redis {

/// What changed about one server; for a log and for metrics.
struct state_change {
  enum class kind : std::uint8_t {
    connected,       ///< to `where`
    lost,            ///< a connection that was there
    failed,          ///< an attempt to connect
    master_changed,  ///< a sentinel said that `where` is the master now
    map_changed,     ///< the cluster distributes its slots differently
  };

  kind what = kind::connected;
  std::string where;   ///< host:port, or what was looked for
  std::string reason;  ///< a sentence where something failed
};

/// Limits of one client.
struct client_limits {
  using milliseconds = std::chrono::milliseconds;

  std::size_t calls_max = 4096;                   ///< waiting or under way, for each server
  std::size_t bytes_max = std::size_t{16} << 20;  ///< of calls not yet handed to the kernel, for each server
  reply_limits replies;

  milliseconds connect_max{1000};      ///< for resolving, connecting, TLS and introduction together
  milliseconds first_wait{20};         ///< before the second attempt to connect; doubles with each, and is jittered
  milliseconds longest_wait{1000};     ///< before any attempt
  milliseconds heartbeat{1000};        ///< a connection on which nothing came for so long is asked for a sign of life
  milliseconds silence_max{2000};      ///< and is given up when something sent has had no answer for so long
  milliseconds map_interval{50};       ///< at least so long between two looks at the map of a cluster
  milliseconds try_again_interval{5};  ///< between attempts while a cluster moves the keys of a call
};

struct client_options {
  redis::address address;
  std::string name = "petstore";  ///< by which the server's CLIENT LIST knows the connections; no spaces
  client_limits limits;
  std::function<void(state_change const&)> on_state;  ///< on the client's executor; may be empty
};

/// Since the client began.
struct client_counters {
  std::uint64_t calls = 0;               ///< begun
  std::uint64_t replies = 0;             ///< calls that brought a value
  std::uint64_t refused = 0;             ///< calls that failed and surely did nothing
  std::uint64_t timed_out = 0;           ///< calls sent, without an answer in time
  std::uint64_t other_failures = 0;      ///< calls that failed otherwise
  std::uint64_t scripts_sent_whole = 0;  ///< EVAL, where the server did not have the script
  std::uint64_t redirections = 0;        ///< MOVED, ASK and TRYAGAIN
  std::uint64_t connections = 0;         ///< made
  std::uint64_t connections_lost = 0;
};

}  // namespace petstore::redis
