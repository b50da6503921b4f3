// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <array>
#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "call.hpp"
#include "cluster.hpp"
#include "dialer.hpp"
#include "link.hpp"
#include "petstore/redis/client.hpp"
#include "sentinels.hpp"
#include "subscription.hpp"

namespace petstore::redis {

/// The part of the client that runs on its executor. It sends each call to the right server, and handles the errors
/// that come back. Shared by the client and by the work on the executor.
class client::core final : public link::owner, public std::enable_shared_from_this<core> {
 public:
  core(asio::any_io_executor, client_options);

  asio::any_io_executor const& executor() const noexcept { return dialer_->executor(); }
  bool is_connected() const noexcept { return connected_.load(std::memory_order_relaxed); }
  std::size_t connected_servers() const noexcept { return connected_servers_.load(std::memory_order_relaxed); }
  client_counters counters() const noexcept;

  // On the executor:
  void start();
  void submit(std::unique_ptr<call>);
  asio::awaitable<result<void>> wait_until_connected(std::shared_ptr<core>, time_point deadline);
  asio::awaitable<result<std::vector<inspection>>> inspect(std::shared_ptr<core>, time_point deadline);
  void close();

  void on_answer(link&, std::unique_ptr<call>, result<reply>) override;
  std::string check(link&, greeting_answer const&) override;
  void on_up(link&) override;
  void on_down(link&, std::string const& reason) override;
  void on_failed(link&, std::string const& reason) override;

 private:
  /// After this number of MOVED and ASK, a call is refused: the nodes do not agree.
  static constexpr int redirections_max = 3;

  void start_single();
  void start_sentinels();
  void start_cluster(std::vector<node> seeds);
  void on_sentinel(subscription_event const&);
  void on_switch(node const& master);
  asio::awaitable<void> check_master(std::shared_ptr<core>);
  void change_to(node const& master);

  void resolve_error(link&, std::unique_ptr<call>, std::string error);
  void follow(node const&, std::unique_ptr<call>, std::string error);
  void try_later(std::unique_ptr<call>);
  void finish(std::unique_ptr<call>, result<reply>);

  std::vector<std::shared_ptr<link>> masters() const;
  asio::awaitable<result<reply>> ask(std::shared_ptr<link>, std::vector<std::string> words, time_point deadline);
  asio::awaitable<inspection> inspect_one(std::shared_ptr<link>, time_point deadline);
  void update_connected();
  std::size_t count_connected() const;
  void report(state_change) const;

  enum counter : std::size_t {
    calls,
    replies,
    refused,
    timed_out,
    other_failures,
    scripts_sent_whole,
    redirections,
    connections,
    connections_lost,
    counter_count
  };
  void count(counter which) noexcept { counters_[which].fetch_add(1, std::memory_order_relaxed); }

  client_options const options_;
  std::shared_ptr<dialer> const dialer_;

  // One of the two exists after the start.
  std::shared_ptr<link> single_;
  std::shared_ptr<redis::cluster> cluster_;

  std::shared_ptr<sentinels> sentinels_;
  std::shared_ptr<subscription> announcements_;  ///< of the sentinels
  std::uint64_t switches_ = 0;                   ///< announced so far
  std::list<asio::steady_timer> waiting_;        ///< of callers that wait for a connection; cancelled when it is there
  std::string last_failure_;
  bool closed_ = false;

  // Read from any thread.
  std::atomic<bool> connected_{false};
  std::atomic<std::size_t> connected_servers_{0};
  std::array<std::atomic<std::uint64_t>, counter_count> counters_{};
};

}  // namespace petstore::redis
