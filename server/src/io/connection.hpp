// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/intrusive/list_hook.hpp>
#include <memory>

#include "session.hpp"

namespace petstore::server::io {

/// What a connection holds of its listener, from before it begins until it is gone, however it goes.
class place {
 public:
  virtual ~place() = default;
  /// The connection has ended, as connections do, and not because everything is being torn down.
  virtual void leave() noexcept = 0;
};

/// A connection as its listener sees it: something that has deadlines and can be ended. It owns itself, and unlinks
/// itself from the listener's list when it ends, which any of these calls may bring about.
class connection : public boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
 public:
  connection(connection const&) = delete;
  connection& operator=(connection const&) = delete;

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

}  // namespace petstore::server::io
