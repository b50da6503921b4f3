// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// All that is decided before the first request: the checked values of the flags and the scenario file.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "client/target.hpp"
#include "client/tls.hpp"
#include "scenario/scenario.hpp"
#include "schedule/load_shape.hpp"

namespace petstore::load {

inline constexpr unsigned threads_max = 256;
inline constexpr std::uint64_t requests_max = 10'000'000'000;
inline constexpr std::size_t connections_max = 100'000;
inline constexpr std::size_t waiting_max = 10'000'000;
inline constexpr std::size_t open_connections = 1'000;  ///< the default of an open loop
inline constexpr std::size_t closed_connections = 64;   ///< the default of a closed loop
/// After Ctrl-C, the run waits at most this long for requests under way.
inline constexpr std::chrono::seconds stopped_wait_max{1};

/// A target and its addresses, of which there is at least one.
struct destination {
  target to;
  std::vector<address> addresses;
};

struct run_plan {
  scenario played;
  std::vector<destination> destinations;
  load_shape shape;
  std::chrono::nanoseconds warm_up{};
  std::optional<std::chrono::nanoseconds> duration;  ///< without the warm-up; either this or `requests` is set
  std::optional<std::uint64_t> requests;             ///< the number of operations to begin, as the rate counts them
  std::optional<std::uint64_t> errors;               ///< the number of errors at which the run stops
  unsigned threads = 1;
  std::size_t connections = open_connections;  ///< for all threads together
  std::size_t waiting = 100'000;               ///< due requests that may wait for a connection; further ones are unsent
  std::chrono::nanoseconds timeout = std::chrono::seconds(10);
  bool keep_alive = true;
  tls_settings::wanted tls;
  std::uint64_t seed = 1;
  std::optional<boost::asio::ip::tcp::endpoint> live_page;  ///< where the live figures are served
  std::string command;                                      ///< the command line, without keys
};

}  // namespace petstore::load
