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

/// One text a second for any number of readers, as server-sent events (the HTML standard, 9.2). It is made only while
/// somebody reads, once for all; who is slow gets the latest one and not those before.
///
///     [idle] --first reader--> [sampling] --last reader gone--> [idle]
///        close() from either: every stream ends, and there are no more
///
/// Thread safety: everything on the executor's one thread.
class event_feed {
 public:
  /// `restart` is called when somebody reads again after a while in which nobody did, `sample` for each text, which has
  /// no line breaks. Both outlive the feed's executor, or its closing.
  event_feed(boost::asio::any_io_executor, std::function<void()> restart, std::function<std::string()> sample,
             std::size_t readers_max, std::chrono::milliseconds interval = std::chrono::seconds{1});
  ~event_feed();
  event_feed(event_feed const&) = delete;
  event_feed& operator=(event_feed const&) = delete;

  /// nullptr: there are as many readers as may be, or the feed is closed.
  std::unique_ptr<server::body_stream> read();
  std::size_t reader_count() const noexcept;
  void close();

 private:
  struct state;
  class stream;
  static boost::asio::awaitable<void> run(std::shared_ptr<state>);

  std::shared_ptr<state> const state_;  // shared with the streams, whose connections may outlive the feed
};

}  // namespace petstore::program
