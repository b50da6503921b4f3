// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string_view>

#include "client/answer_reader.hpp"
#include "client/connection.hpp"
#include "figures/recorder.hpp"
#include "scenario/flow.hpp"

namespace petstore::load {

/// One client: its flow, its connection, and the request whose answer it waits for, if any. It has only data; `worker`
/// moves it through its phases.
///
///     [idle] --> [resting] --> [connecting] --> [handshaking] --> [awaiting] --> [idle]
///
/// A client with an open connection goes directly from resting, or from idle, to awaiting.
struct virtual_client {
  enum class phase : std::uint8_t {
    idle,         ///< between two operations; an open loop may begin the next
    resting,      ///< thinks, or backs off, until `current.when`
    connecting,   ///< the request waits for the connection
    handshaking,  ///< the request waits for the TLS handshake
    awaiting,     ///< waits for the answer, and may still send the rest of the request
    retired,      ///< in a closed loop that begins no more operations
  };

  virtual_client(stage& s, std::uint16_t to) : actor(s), target(to) {}

  bool is_in_flight() const noexcept {
    return at == phase::connecting || at == phase::handshaking || at == phase::awaiting;
  }

  flow actor;
  connection wire;
  answer_reader reader;
  action current;
  std::string_view unsent;  ///< the unsent end of `current.request`
  phase at = phase::idle;
  std::uint16_t target;
  std::uint64_t answers_on_wire = 0;  ///< answers since the connection was opened
  std::uint64_t bytes_in = 0;         ///< received bytes of the current answer
  instant opening{};
  instant connected{};
  instant sent{};
  instant first_byte{};
  instant not_before{};  ///< after a failed connection, a closed loop does not try again before this

  // Links in the worker's deadlines.
  instant deadline{};
  virtual_client* earlier = nullptr;
  virtual_client* later = nullptr;
};

}  // namespace petstore::load
