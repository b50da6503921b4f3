// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/intrusive/list.hpp>
#include <cstddef>
#include <functional>
#include <memory>

#include "net/connection.hpp"
#include "net/listener_state.hpp"
#include "petstore/server/connection_budget.hpp"

namespace petstore::server::net {

class open_connections;

/// The registration of a connection at its listener. It lasts until `leave` or its destruction; a listener that stops
/// waits for it. It holds a slot in the connection limit, unless the connection is refused. One thread.
class registration {
 public:
  /// Takes a slot if there is one, or if another connection can make way. It shares the listener's connections, since a
  /// connection may outlive a listener that was not stopped.
  registration(std::shared_ptr<open_connections>, connection_budget::address const& from);
  registration(registration const&) = delete;
  registration& operator=(registration const&) = delete;
  ~registration() { give_up(); }

  /// Whether it holds a slot; `admission` says which limit refused it otherwise.
  bool has_slot() const noexcept { return admission_ == connection_budget::admission::granted; }
  connection_budget::admission admission() const noexcept { return admission_; }
  /// Moves the slot to the client's real address. If that address may not have one more connection, the slot is free
  /// for another connection, and this one is refused.
  void pass_on(connection_budget::address const& to);
  /// Whether a refused connection may wait until its client has read the answer: not while many others do.
  bool may_linger() const noexcept;
  /// The connection begins: from now on its listener checks its deadlines.
  void enter(connection&);
  /// The connection has ended normally, and not because everything is being destroyed.
  void leave() noexcept;

 private:
  void refuse(connection_budget::admission) noexcept;
  void give_up() noexcept;

  std::shared_ptr<open_connections> const among_;
  connection_budget::address from_;
  connection_budget::admission admission_;
  bool is_held_ = true;
};

/// The connections of one listener, those that are being refused among them. When slots or descriptors run out, it ends
/// a connection that has waited long for its client. One thread.
class open_connections {
 public:
  /// Calls `has_left` after a connection has ended normally.
  open_connections(listener_state&, connection_budget&, std::function<void()> has_left);
  open_connections(open_connections const&) = delete;
  open_connections& operator=(open_connections const&) = delete;

  enum class freed : std::uint8_t { slot, descriptor };
  /// Ends the connection that has waited longest for its client among those searched, unless its data has just arrived.
  /// So clients that hold connections without sending cannot keep others out. Returns false when none has waited long.
  bool end_longest_waiting(freed wanted);

  /// The number of registrations. Some of their connections may not have begun yet.
  std::size_t count() const noexcept { return count_; }
  /// Whether the listener has more than its share of the slots that `sharers` listeners use together.
  bool are_more_than_share(std::size_t sharers) const noexcept { return count_ * sharers > budget_.in_use(); }

  /// `act` may end the connection it is called with, and so remove it from the list, but no other one.
  template <class Act>
  void for_each(Act act) {
    for (auto next = list_.begin(); next != list_.end();) act(*next++);
  }

 private:
  friend registration;

  connection_budget::admission take_slot(connection_budget::address const& from);

  listener_state& shared_;  ///< with the connections
  connection_budget& budget_;
  std::function<void()> const has_left_;
  boost::intrusive::list<connection, boost::intrusive::constant_time_size<false>> list_;
  std::size_t count_ = 0;
  std::size_t turning_away_ = 0;  ///< those of `count_` that have no slot
};

}  // namespace petstore::server::net
