// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "petstore/ports/report.hpp"
#include "petstore/redis/client.hpp"

namespace petstore::quota {

namespace asio = boost::asio;

/// Looks at the servers after each connection and every ten seconds. It reports a setting with which a server forgets
/// quotas, and a right that the user lacks, once; and that a server evicts keys, after each look that finds more.
///
/// On one executor. Shared by its coroutine and those who tell it something.
class server_check : public std::enable_shared_from_this<server_check> {
 public:
  static constexpr std::chrono::seconds interval{10};

  /// `channel` is that of recalls. `report` is not empty.
  server_check(asio::any_io_executor executor, std::string channel, ports::report_function report);

  /// Begins to look, until `stop` or the end of the client.
  void start(std::weak_ptr<redis::client>);
  /// A connection was made.
  void look_soon();
  /// The server refuses to let this node hear or publish recalls.
  void recalls_refused(std::string const& why);
  void stop();

 private:
  asio::awaitable<void> keep_looking(std::shared_ptr<server_check>);
  asio::awaitable<void> look();
  void check(redis::inspection const&);
  void warn(std::string_view event, std::string const& detail);
  void note_evictions(std::string const& where, std::uint64_t keys);

  std::string const channel_;
  ports::report_function const report_;
  std::weak_ptr<redis::client> client_;
  asio::steady_timer timer_;
  bool is_stopped_ = false;
  bool is_due_ = false;                           ///< a connection was made during the last look
  std::set<std::string> told_;                    ///< so that nothing is reported twice
  std::map<std::string, std::uint64_t> evicted_;  ///< by server: the keys that it had evicted at the last look
};

}  // namespace petstore::quota
