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

/// The calls of one connection: those that wait to be sent, and those that were sent and wait for their replies.
/// Replies come in the order of the calls. It has neither socket nor clock. One thread.
///
///     add() --> waiting --take_output()--> under way --on_reply()--> finished
///                  |                           |
///                expire(): not_sent          expire(): timed_out; its entry is kept for the late reply
class pipeline {
 public:
  using time_point = call::time_point;

  struct limits {
    std::size_t calls_max;
    std::size_t bytes_max;  ///< waiting
  };
  struct finished {
    std::unique_ptr<redis::call> call;  ///< null: nobody waits for the reply (any more)
    result<reply> outcome;
  };

  explicit pipeline(limits most) : limits_{most} {}

  /// Takes the call, and returns false if a limit is reached. If there is no memory, it throws and changes nothing.
  bool add(std::unique_ptr<call>& one);
  /// Adds a PING; nobody waits for its reply.
  void add_heartbeat();

  bool has_output() const noexcept { return !waiting_.empty(); }
  /// Returns the bytes of all waiting calls, which count as sent from now on.
  std::string take_output(time_point now);

  /// Returns nullopt if the reply belongs to no call.
  std::optional<finished> on_reply(reply);

  /// Returns the calls whose deadline has passed.
  std::vector<finished> expire(time_point now);
  /// Returns all calls when the connection ends. Those that were sent fail with `sent`, the others with not_sent.
  std::vector<finished> end(errc sent, std::string const& reason);

  /// The earliest deadline of the calls that somebody waits for.
  std::optional<time_point> next_deadline() const;
  /// When the oldest call without a reply was sent.
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
    bool has_reply_before;  ///< that of ASKING
  };

  limits const limits_;
  entries waiting_;
  entries under_way_;
  deadlines deadlines_;
  std::size_t waiting_bytes_ = 0;
};

}  // namespace petstore::redis
