// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/intrusive/list_hook.hpp>
#include <memory>

#include "net/connection_host.hpp"
#include "petstore/server/connection_budget.hpp"

namespace petstore::server::net {

class connection;

/// What a connection holds of its listener, from before it begins until it is gone, however it goes.
class slot {
 public:
  virtual ~slot() = default;
  /// Whether there was room for the connection when it came.
  virtual connection_budget::verdict verdict() const noexcept = 0;
  /// Who the connection really comes from; whether there is room for one more of theirs.
  virtual connection_budget::verdict pass_on(connection_budget::address const& to) = 0;
  /// The connection begins: from now on its listener looks at it.
  virtual void enter(connection&) = 0;
  /// The connection has ended, as connections do, and not because everything is being torn down.
  virtual void leave() noexcept = 0;
};

/// A connection as its listener sees it: something that has deadlines and can be ended. It owns itself, and unlinks
/// itself from the listener's list when it ends, which any of these calls may bring about.
class connection : public boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
 public:
  connection(connection const&) = delete;
  connection& operator=(connection const&) = delete;

  /// Since when it has waited for its client; steady_time::max() while it does not.
  virtual steady_time waiting_since() const noexcept = 0;
  virtual connection_state state() const noexcept = 0;
  /// Ends at once, to make its slot free, unless what it waited for has just come.
  virtual void make_way() = 0;
  /// Ends what has lasted too long.
  virtual void check_deadline(steady_time now) = 0;
  /// The listener stops: nothing more is waited for, what arrived is finished.
  virtual void finish() = 0;
  /// Breaks the connection off.
  virtual void abort() noexcept = 0;

 protected:
  connection() = default;
  ~connection() = default;
};

}  // namespace petstore::server::net
