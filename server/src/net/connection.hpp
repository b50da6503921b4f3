// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/intrusive/list_hook.hpp>

#include "net/listener_state.hpp"

namespace petstore::server::net {

/// A connection as its listener sees it: it has deadlines and can be ended. It owns itself, and unlinks itself from the
/// listener's list when it ends. Any of these calls may end it.
class connection : public boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
 public:
  connection(connection const&) = delete;
  connection& operator=(connection const&) = delete;

  /// The time since which it has waited for its client; steady_time::max() while it does not wait.
  virtual steady_time waiting_since() const noexcept = 0;
  virtual connection_state state() const noexcept = 0;
  /// False for a connection that is being refused.
  virtual bool has_slot() const noexcept = 0;
  /// Ends the connection at once, to free its slot, and returns true, unless the data that it waited for has just
  /// arrived.
  virtual bool make_way() = 0;
  /// The listener's `write_timeout` has changed: the kernel applies it, too.
  virtual void follow_write_timeout() noexcept = 0;
  /// Ends the connection if it has exceeded a time limit.
  virtual void check_deadline(steady_time now) = 0;
  /// The listener stops: the connection waits for no more requests, and finishes those that have arrived.
  virtual void finish() = 0;
  /// The listener's time to stop is over. The connection ends now; or it cancels a handler, and ends at a later call.
  /// Returns whether a request was cut off.
  virtual bool break_off(steady_time now) noexcept = 0;
  /// Resets the connection.
  virtual void abort() noexcept = 0;

 protected:
  connection() = default;
  ~connection() = default;
};

}  // namespace petstore::server::net
