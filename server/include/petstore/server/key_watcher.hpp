// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "petstore/error.hpp"
#include "petstore/export.hpp"
#include "petstore/key_registry.hpp"
#include "petstore/ports/quota_source.hpp"
#include "petstore/ports/store.hpp"
#include "petstore/server/clock.hpp"
#include "petstore/server/log.hpp"

namespace petstore::server {

namespace asio = boost::asio;

/// Brings what `petstore keys …` wrote into the store to a running server: polls the version of the keys, at once when
/// the store says that they may have changed, publishes a new snapshot when they did, and hands operators' bans to the
/// quotas.
///
/// A store that fails is reported once, and once more when it is back; until then the keys known last go on working.
///
/// Thread safety: `set_plans` from any thread; the rest on the watcher's executor, which must run on one thread or be
/// a strand. Everything given by reference outlives the watcher.
class PETSTORE_EXPORT key_watcher {
 public:
  /// How late a change is noticed where the store does not tell of it.
  static constexpr std::chrono::milliseconds poll_interval{250};

  /// The store is not asked before `refresh` or `run`.
  key_watcher(asio::any_io_executor const&, ports::store&, ports::quota_source&, key_registry&, plan_table,
              clock_function, log_function);
  ~key_watcher();

  /// Publishes the keys as they are now when they or the plans changed since the last time. Await it once before
  /// accepting connections.
  asio::awaitable<result<void>> refresh();

  /// Refreshes every `poll_interval`, and when the store calls, until `stop`.
  asio::awaitable<void> run();
  /// `run` completes, once what it is waiting for has. Also when called before it. From then on the watcher's end
  /// touches neither the executor nor the store.
  void stop();

  /// Takes effect with the next refresh. Counts used so far are kept. Keys of a plan that is missing here get `free`; a
  /// table without that, while there are such keys, is reported as a failure, and the plans known last go on.
  void set_plans(plan_table);

 private:
  asio::awaitable<result<void>> reload_if_changed();
  void publish(key_directory const&, plan_table const&);
  void apply_bans(key_directory const&);

  ports::store& store_;
  ports::quota_source& quotas_;
  key_registry& registry_;
  clock_function const clock_;
  log_function const log_;

  std::shared_ptr<asio::steady_timer> timer_;  ///< until `stop`; shared with a call of the store's that has not run yet
  bool stopped_ = false;
  bool store_failing_ = false;
  bool loaded_ = false;
  std::uint64_t version_ = 0;                                      ///< of the keys published last
  std::uint64_t plans_published_ = 0;                              ///< the revision of the plans with them
  std::unordered_map<std::uint64_t, std::uint64_t> bans_applied_;  ///< identity to `ban_changes`

  std::mutex plans_mutex_;  ///< guards the two below
  plan_table plans_;
  std::uint64_t plans_revision_ = 0;
};

}  // namespace petstore::server
