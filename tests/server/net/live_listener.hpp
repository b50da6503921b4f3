// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <semaphore>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "petstore/server/listener.hpp"
#include "petstore/server/metrics.hpp"
#include "support/time_limit.hpp"

namespace petstore::tests {

namespace asio = boost::asio;

/// Answers by path: what a session can meet in a handler.
///
///     /throw        throws                        /wait       waits for release()
///     /close        asks for the end              /size/N     N bytes
///     /204, /304    with a body set by mistake    /at_once    nothing, and no coroutine
///     /204/stream   with parts set by mistake
///     /peer         who is at the other end
///     /stream/N     N parts after a first one; 13 throws    /stream       a part for each release()
///     any other     describes the request, one thing a line
class path_handler final : public server::http_handler {
 public:
  explicit path_handler(asio::io_context& context) : gate_{context, std::chrono::steady_clock::time_point::max()} {}

  asio::awaitable<void> handle(server::request const&, server::response&) override;
  void refuse(errc, std::string_view message, server::request const& partial, server::response&) override;

  /// On the handler's thread: lets those that wait go on.
  void release() { gate_.cancel(); }
  /// The same, and nobody waits from then on.
  void open_gate() {
    is_open_ = true;
    release();
  }

  asio::awaitable<void> pass_gate();

  std::counting_semaphore<> entered{0};  ///< one for each wait at the gate
  bool refusals_throw = false;

 private:
  asio::awaitable<void> handle_later(server::request const&, server::response&);

  asio::steady_timer gate_;
  bool is_open_ = false;
};

/// What a listener said of an answer, copied.
struct seen_answer {
  std::string target;
  std::string request_id;
  unsigned status = 0;
  std::uint64_t bytes_sent = 0;
};

/// Each connection begins with a PROXY header, which this machine's first address may send, and no other.
server::listener_options behind_proxy();

/// A listener with a thread of its own, on a port of its own, stopped at the end of the test.
class live_listener {
 public:
  explicit live_listener(server::connection_limits const& = {}, std::size_t connections_max = 100,
                         std::size_t connections_of_address_max = server::connection_budget::unlimited,
                         server::listener_options options = {}, std::vector<server::address_range> exempt = {});
  ~live_listener();

  std::uint16_t port() const { return port_; }
  path_handler& handler() { return handler_; }
  server::connection_budget& budget() { return budget_; }

  void begin_drain();
  void set_limits(server::connection_limits const&);
  void release();
  void open_gate();
  void let_refusals_throw();
  std::size_t session_count();
  /// How many connections were refused or let go for that reason.
  std::uint64_t count(auto reason) const { return metrics_.collect().count_of(reason); }
  /// Everything that was counted up to now.
  server::metrics_reading counted() const { return metrics_.collect(); }
  /// Keeps the thread busy until the promise is kept, so that what comes meanwhile waits in the kernel.
  std::shared_ptr<std::promise<void>> hold();
  /// Begins to stop; the future is ready when the last session is gone, and says whether none was cut off.
  std::future<bool> stop(std::chrono::milliseconds timeout = time_limit);
  /// What was logged up to now; called after stop() or when an answer implies it.
  std::vector<seen_answer> answers();
  std::vector<std::pair<std::string, std::string>> events();
  bool has_logged(std::string_view event);

 private:
  void run_on_thread(std::function<void()>);

  std::mutex mutex_;
  std::vector<seen_answer> answers_;
  std::vector<std::pair<std::string, std::string>> events_;
  asio::io_context context_{1};
  path_handler handler_{context_};
  server::connection_budget budget_;
  server::metrics metrics_{1};
  std::optional<server::listener> listener_;
  std::uint16_t port_ = 0;
  bool is_stopped_ = false;
  std::thread thread_;
};

}  // namespace petstore::tests
