// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "petstore/redis/client.hpp"
#include "support/running_context.hpp"
#include "support/time_limit.hpp"

namespace petstore::tests {

namespace asio = boost::asio;

/// Something that was put down by one thread and is waited for by another.
template <class Event>
class journal {
 public:
  void add(Event event) {
    std::lock_guard const lock{mutex_};
    events_.push_back(std::move(event));
    changed_.notify_all();
  }

  /// Whether there is one, or comes one in time, that is so.
  template <class Predicate>
  bool wait_for(Predicate is_so) {
    std::unique_lock lock{mutex_};
    return changed_.wait_for(lock, time_limit, [&] { return std::ranges::any_of(events_, is_so); });
  }

  std::vector<Event> all() const {
    std::lock_guard const lock{mutex_};
    return events_;
  }
  void clear() {
    std::lock_guard const lock{mutex_};
    events_.clear();
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Event> events_;
};

inline std::chrono::steady_clock::time_point within(std::chrono::milliseconds limit) {
  return std::chrono::steady_clock::now() + limit;
}

/// A client on a thread of its own, called from another thread.
class live_client {
 public:
  explicit live_client(redis::client_options options) : client_{home_.executor(), observed(std::move(options))} {}
  explicit live_client(std::string_view address) : live_client{options_for(address)} {}

  static redis::client_options options_for(std::string_view address) {
    redis::client_options options;
    options.address = redis::parse_address(address).value();
    return options;
  }

  redis::client& operator*() noexcept { return client_; }
  redis::client* operator->() noexcept { return &client_; }
  journal<redis::state_change>& changes() noexcept { return changes_; }

  template <class T>
  T wait(asio::awaitable<T> work) {
    return asio::co_spawn(caller_.executor(), std::move(work), asio::use_future).get();
  }

  redis::result<redis::reply> command(std::vector<std::string> words, std::string key = {},
                                      std::chrono::milliseconds limit = time_limit) {
    return wait(client_.command(std::move(words), std::move(key), within(limit)));
  }
  redis::result<redis::reply> run(redis::script const& one, std::vector<std::string> keys,
                                  std::vector<std::string> arguments, std::chrono::milliseconds limit = time_limit) {
    return wait(client_.run_script(one, std::move(keys), std::move(arguments), within(limit)));
  }
  /// Whether it is connected, in time.
  bool connect() { return wait(client_.wait_until_connected(within(time_limit))).has_value(); }

  running_context& caller() noexcept { return caller_; }

 private:
  redis::client_options observed(redis::client_options options) {
    options.on_state = [this](redis::state_change const& change) { changes_.add(change); };
    return options;
  }

  journal<redis::state_change> changes_;
  running_context home_;
  running_context caller_;
  redis::client client_;
};

}  // namespace petstore::tests
