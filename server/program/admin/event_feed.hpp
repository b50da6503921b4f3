// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "petstore/server/body_stream.hpp"

namespace petstore::program {

/// Sends one text a second to all its readers, as server-sent events (HTML standard, 9.2). Each text is made once, and
/// only while there are readers. A slow reader gets the latest text and misses those before.
///
///     [idle] --first reader--> [sampling] --last reader gone--> [idle]
///        close() in either state: every stream ends, and no other begins
///
/// Thread safety: all calls on the executor, which runs on one thread.
class event_feed {
 public:
  /// `restart` is called when a first reader comes, and `sample` for each text, which has no line breaks. Both must
  /// stay valid until the feed is closed or the executor is gone.
  event_feed(boost::asio::any_io_executor, std::function<void()> restart, std::function<std::string()> sample,
             std::size_t readers_max, std::chrono::milliseconds interval = std::chrono::seconds{1});
  ~event_feed();
  event_feed(event_feed const&) = delete;
  event_feed& operator=(event_feed const&) = delete;

  /// Returns nullptr if there are `readers_max` readers, or if the feed is closed.
  std::unique_ptr<server::body_stream> read();
  void close();

 private:
  struct state;
  class stream;
  static boost::asio::awaitable<void> run(std::shared_ptr<state>);

  std::shared_ptr<state> const state_;  // shared with the streams, whose connections may outlive the feed
};

}  // namespace petstore::program
