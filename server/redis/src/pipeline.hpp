// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <chrono>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "call.hpp"

namespace petstore::redis {

/// What waits to be sent on one connection, and what was sent and waits for its reply: replies come in the order of the
/// calls. Neither socket nor clock. One thread.
///
///     add() --> waiting --take_output()--> under way --on_reply()--> finished
///                  |                           |
///                expire(): not_sent          expire(): timed_out; its place is kept for the reply that may yet come
class pipeline {
 public:
  using time_point = call::time_point;

  struct limits {
    std::size_t calls_max;
    std::size_t bytes_max;  ///< waiting
  };
  struct finished {
    std::unique_ptr<redis::call> call;  ///< null: nobody waits any more, or it was a sign of life
    result<reply> outcome;
  };

  explicit pipeline(limits most) : limits_{most} {}

  /// Takes the call, unless a limit is reached. Without memory for it nothing has changed.
  bool add(std::unique_ptr<call>& one);
  /// A PING, whose reply nobody waits for.
  void add_heartbeat();

  bool has_output() const noexcept { return !waiting_.empty(); }
  /// The bytes of everything that waits, which from now on counts as sent.
  std::string take_output(time_point now);

  /// nullopt: a reply to nothing.
  std::optional<finished> on_reply(reply);

  /// Those whose time is over.
  std::vector<finished> expire(time_point now);
  /// All, when the connection ends: what was sent with this code.
  std::vector<finished> end(errc sent, std::string const& reason);

  /// Of those for whom somebody waits.
  std::optional<time_point> next_deadline() const;
  /// When the oldest was sent that has no reply yet.
  std::optional<time_point> unanswered_since() const;
  std::size_t live() const noexcept { return deadlines_.size(); }

 private:
  struct entry;
  using entries = std::list<entry>;
  using deadlines = std::multimap<time_point, entries::iterator>;
  struct entry {
    std::unique_ptr<redis::call> call;
    std::string bytes;        ///< until it is sent
    deadlines::iterator due;  ///< while there is a call
    time_point sent;
    bool has_reply_before;  ///< of an ASKING
  };

  limits const limits_;
  entries waiting_;
  entries under_way_;
  deadlines deadlines_;
  std::size_t waiting_bytes_ = 0;
};

}  // namespace petstore::redis
