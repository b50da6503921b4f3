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
    listening,  ///< from now on messages are heard; what was published before may have been missed
    message,
    lost,  ///< messages are missed until `listening` comes
  };

  kind what = kind::message;
  std::string channel;  ///< of a message
  std::string payload;  ///< of a message; of `lost`, a sentence why
};

/// Hears what is published to the channels that match one pattern (as of PSUBSCRIBE), on a connection of its own, and
/// subscribes again whenever that is lost. Of a cluster, any node will do; behind sentinels, the master.
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
  std::shared_ptr<class dialer> dialer_;
  std::shared_ptr<class subscription> subscription_;
};

}  // namespace petstore::redis
