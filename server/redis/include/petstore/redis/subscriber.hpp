// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "petstore/redis/options.hpp"

namespace petstore::redis {

namespace asio = boost::asio;

struct subscription_event {
  enum class kind : std::uint8_t {
    listening,  ///< from now on messages arrive; earlier ones may have been missed
    message,
    lost,     ///< messages are missed until the next `listening`
    refused,  ///< the server refuses to let it listen, which it tries again
  };

  kind what = kind::message;
  std::string channel;  ///< of a message
  std::string payload;  ///< of a message; for `lost` and `refused`, a sentence that says why
};

/// Receives the messages of the channels that match one pattern (PSUBSCRIBE), on a connection of its own. It subscribes
/// again whenever the connection is lost. It listens to any node of a cluster (to one of the address, or to a master
/// that one of these knew), and behind sentinels to the master.
///
/// Thread safety: construct and destroy from any thread. The callback runs on the given executor, which must run on one
/// thread or be a strand, and must outlive the subscriber. If the subscriber is destroyed on that executor, the
/// callback is not called afterwards.
class subscriber {
 public:
  /// Begins to connect. `options.on_state` is not used. Throws std::runtime_error if a file for TLS cannot be used.
  subscriber(asio::any_io_executor, client_options, std::string pattern,
             std::function<void(subscription_event const&)>);
  ~subscriber();
  subscriber(subscriber const&) = delete;
  subscriber& operator=(subscriber const&) = delete;

 private:
  // Shared with coroutines that end a moment after the subscriber.
  std::shared_ptr<class dialer> dialer_;
  std::shared_ptr<class subscription> subscription_;
};

}  // namespace petstore::redis
