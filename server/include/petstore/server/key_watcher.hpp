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

/// Brings the changes that `petstore keys …` writes into the store to a running server. It polls the version of the
/// keys, and does so at once when the store reports a possible change. After a change it publishes a new snapshot and
/// hands operators' bans to the quotas.
///
/// A failing store is reported once, and its recovery once; until then the last known keys stay in use.
///
/// Thread safety: `set_plans` from any thread; the rest on the watcher's executor, which must run on one thread or be
/// a strand. Objects given by reference must outlive the watcher.
class PETSTORE_EXPORT key_watcher {
 public:
  /// The delay until a change is noticed if the store does not report it.
  static constexpr std::chrono::milliseconds poll_interval{250};

  /// Does not ask the store; `refresh` and `run` do.
  key_watcher(asio::any_io_executor const&, ports::store&, ports::quota_source&, key_registry&, plan_table,
              clock_function, log_function);
  ~key_watcher();

  /// Publishes the current keys if they or the plans have changed since the last time. Await it once before accepting
  /// connections.
  asio::awaitable<result<void>> refresh();

  /// Logs why the keys could not be read.
  void report(error const&) const;

  /// Refreshes every `poll_interval`, and when the store reports a change, until `stop`.
  asio::awaitable<void> run();
  /// Makes `run` complete, after the operation that it is waiting for. It may also be called before `run`. From then on
  /// the destructor of the watcher touches neither the executor nor the store.
  void stop();

  /// Takes effect with the next refresh. The used part of each quota is kept. Keys whose plan is missing here get
  /// `free`. If there are such keys and no plan `free`, a failure is reported, and the last known plans stay in use.
  void set_plans(plan_table);

 private:
  asio::awaitable<result<void>> reload_if_changed();
  void publish(key_directory const&, plan_table const&);
  void apply_bans(key_directory const&);

  /// The changes of an identity that the quotas have.
  struct applied_changes {
    std::uint64_t bans = 0;    ///< `identity_record::ban_changes`
    std::uint64_t resets = 0;  ///< `identity_record::quota_resets`
  };

  ports::store& store_;
  ports::quota_source& quotas_;
  key_registry& registry_;
  clock_function const clock_;
  log_function const log_;

  std::shared_ptr<asio::steady_timer> timer_;  ///< until `stop`; shared with a pending notification of the store
  bool stopped_ = false;
  bool store_failing_ = false;
  bool loaded_ = false;
  std::uint64_t version_ = 0;          ///< of the keys that were published last
  std::uint64_t plans_published_ = 0;  ///< the revision of the plans that were published with them
  std::unordered_map<std::uint64_t, applied_changes> applied_;  ///< by identity

  std::mutex plans_mutex_;  ///< guards the next two
  plan_table plans_;
  std::uint64_t plans_revision_ = 0;
};

}  // namespace petstore::server
