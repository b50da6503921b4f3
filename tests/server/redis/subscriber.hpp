// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <string>

#include "petstore/redis/options.hpp"
#include "subscription.hpp"

namespace petstore::redis {

/// A subscription to any server, as the client has one to its sentinels: hears what is published to the channels that
/// match one pattern, on a connection of its own. Of a cluster, any node will do; behind sentinels, the master.
///
/// Thread safety: construct and destroy from any thread. The callback is called on the executor given, which must be
/// one thread or a strand and must outlive the subscriber. When it is destroyed there, nothing is called afterwards.
class subscriber {
 public:
  /// Begins. `options.on_state` is not used. Throws std::runtime_error when a file for TLS cannot be used.
  subscriber(asio::any_io_executor, client_options, std::string pattern,
             std::function<void(subscription_event const&)>);
  ~subscriber();
  subscriber(subscriber const&) = delete;
  subscriber& operator=(subscriber const&) = delete;

 private:
  // Shared with coroutines that end a moment after the subscriber.
  std::shared_ptr<dialer> dialer_;
  std::shared_ptr<subscription> subscription_;
};

}  // namespace petstore::redis
