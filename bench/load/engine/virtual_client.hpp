// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstdint>
#include <string_view>

#include "client/answer_reader.hpp"
#include "client/connection.hpp"
#include "figures/recorder.hpp"
#include "scenario/flow.hpp"

namespace petstore::load {

/// One client: who it is (a flow), its connection, and the request that it waits for, if any. A value without any
/// behaviour: `worker` moves it through its phases.
///
///     [idle] --> [resting] --> [connecting] --> [handshaking] --> [awaiting] --> [idle]
///
/// A client that keeps its connection goes from resting, or from idle, to awaiting at once.
struct virtual_client {
  enum class phase : std::uint8_t {
    idle,         ///< between two operations; an open loop may begin the next
    resting,      ///< thinks, or backs off, until `current.when`
    connecting,   ///< the request waits for the connection
    handshaking,  ///< likewise, for TLS
    awaiting,     ///< an answer, while the rest of the request is sent
    retired,      ///< of a closed loop that begins nothing any more
  };

  virtual_client(stage& s, std::uint16_t to) : actor(s), target(to) {}

  bool is_in_flight() const noexcept {
    return at == phase::connecting || at == phase::handshaking || at == phase::awaiting;
  }

  flow actor;
  connection wire;
  answer_reader reader;
  action current;
  std::string_view unsent;  ///< the end of `current.request`
  phase at = phase::idle;
  std::uint16_t target;
  std::uint64_t answers_on_wire = 0;  ///< since the connection was opened
  std::uint64_t bytes_in = 0;         ///< of the answer that is awaited
  instant opening{};
  instant connected{};
  instant sent{};
  instant first_byte{};
  instant not_before{};  ///< a closed loop that got no connection tries again only then

  // The place in the worker's deadlines.
  instant deadline{};
  virtual_client* earlier = nullptr;
  virtual_client* later = nullptr;
};

}  // namespace petstore::load
