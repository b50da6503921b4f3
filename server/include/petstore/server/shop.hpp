// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "petstore/error.hpp"
#include "petstore/export.hpp"
#include "petstore/key_registry.hpp"
#include "petstore/ports/quota_source.hpp"
#include "petstore/ports/store.hpp"
#include "petstore/server/access_log.hpp"
#include "petstore/server/connection_budget.hpp"
#include "petstore/server/handshake_budget.hpp"
#include "petstore/server/key_check.hpp"
#include "petstore/server/listener.hpp"
#include "petstore/server/log.hpp"
#include "petstore/server/metrics.hpp"
#include "petstore/server/mount.hpp"
#include "petstore/server/request.hpp"
#include "petstore/server/response.hpp"
#include "petstore/server/service.hpp"

namespace petstore::server {

/// Everything has a value that serves; what is empty is not called.
struct PETSTORE_EXPORT shop_options {
  service_options service = {};        ///< what the operations are made with
  connection_limits connections = {};  ///< of each connection: time-outs and sizes
  connection_shares shares = {};       ///< of all lanes together: how many connections, and how many from one address
  handshake_shares handshakes = {};    ///< with TLS: how many handshakes from one address
  listener_options intake = {};        ///< how they come; `counters` and `handshakes` are the shop's to set
  /// What the keys in the store name; a key of a plan that is missing here gets `free`, of which a key that has one
  /// number of its own takes the other. Without a `free`, such a key makes `start` fail, or, while it serves, leaves
  /// the keys as they were known before, which is logged.
  plan_table plans{{"free", {.per_minute = 60, .per_day = 1'000}},
                   {"pro", {.per_minute = 300, .per_day = 10'000}},
                   {"business", {.per_minute = 1'000, .per_day = 100'000}}};
  std::vector<mount> mounts = {};       ///< looked at in this order, before the service
  key_check* keys = nullptr;            ///< in place of the keys in the store; outlives the shop
  clock_function clock = {};            ///< empty: the system's clocks
  log_function log = {};                ///< from lanes, the watching executor and who destroys the shop
  access_log_function access_log = {};  ///< from the lane of the connection, after each answer; lanes call it at once
  /// In place of `access_log`: called once for each lane, which then is the only one to call what it returns.
  std::function<access_log_function()> access_log_of_lane = {};
};

/// How long a drain takes at most: first every answer says `Connection: close` for `delay`, while load balancers find
/// out; then what is under way may go on for `timeout`, and is broken off after that. A mount's answer cannot be broken
/// off: what has to wait for it waits until it is there, however long.
struct PETSTORE_EXPORT drain_times {
  std::chrono::milliseconds delay{0};         ///< 0 where nothing balances load
  std::chrono::milliseconds timeout{10'000};  ///< 0 breaks off what is under way at once
};

/// The whole service in a host program, on the host's executors: the operations, the keys, the quotas, connections.
///
///     auto acceptors = server::open_acceptors({asio::ip::tcp::v4(), 8080}, {executor});
///     server::shop shop({executor}, std::move(store), std::move(quotas));
///     auto const started = co_await shop.start();
///     shop.listen(std::move(acceptors));
///     …
///     co_await shop.drain();
///
///     [made] --start()--> [serving] --drain()--> [draining] --last request--> [done]
///
/// It starts no thread, handles no signal, has no global state and ends nobody's process; any number of them may be in
/// one. Each executor is a lane: connections are spread over lanes and stay on theirs, so that requests share nothing.
/// A lane runs on one thread (an io_context that one thread runs) or is a strand (`make_lanes`, for a thread pool).
///
/// Thread safety: every member from any thread. `start` succeeds once, later is errc::conflict; who drains again hears
/// of the same end.
/// The shop goes when `drain` is done, when its executors run no more, or before it has listened or served, on the
/// watching executor (what `start` began then ends by itself). What the options refer to outlives it. The context of
/// the watching executor goes after the threads that run lanes: one of them tells it that the last lane has ended.
class PETSTORE_EXPORT shop {
 public:
  /// `lanes`: at least one. std::invalid_argument for none, for no store or no source of quotas, and for options that
  /// cannot be: a path without its slash, a mount without an answer. The first lane also watches the keys and whether
  /// the store can take requests, unless `watches` does. Store and quotas are kept until the last request is over; one
  /// that the host keeps elsewhere, and for longer than its executors run, is given as
  /// `{std::shared_ptr<void>{}, &own}`.
  shop(std::vector<asio::any_io_executor> lanes, std::shared_ptr<ports::store>, std::shared_ptr<ports::quota_source>,
       shop_options = {}, asio::any_io_executor watches = {});
  ~shop();
  shop(shop const&) = delete;
  shop& operator=(shop const&) = delete;

  /// Reads the keys, and from then on follows their changes: await it before listening, as no key is known until then.
  /// The error is the store's, and the shop may go then, or be started again; or errc::conflict.
  asio::awaitable<result<void>> start();
  /// The same; calls back on the watching executor. A function, and no completion token such as asio::use_future.
  void start(std::function<void(result<void>)> done);

  /// A listener of its own: one socket for each lane on the endpoint's port. Port 0 is one that is free; returns which.
  /// Throws boost::system::system_error.
  asio::ip::tcp::endpoint listen(asio::ip::tcp::endpoint);
  /// The host's: one acceptor for each lane, of that lane's executor (open_acceptors, adopt_acceptors); else
  /// std::invalid_argument.
  void listen(std::vector<asio::ip::tcp::acceptor>);
  /// A connection that the host has accepted, before anything was read from it. From any executor's socket; the shop
  /// serves it on a lane. What comes after the delay of `drain` is closed. Throws boost::system::system_error when the
  /// socket is not open.
  void serve(asio::ip::tcp::socket);

  /// Announces the end, finishes what is under way, closes. True: every request that came was answered; false: some
  /// were cut off. After it nothing of the shop is left on its executors. It is not cancelled: with
  /// `drain() || something` the drain is waited for all the same.
  asio::awaitable<bool> drain(drain_times = {});
  void drain(drain_times, std::function<void(bool)> done);  ///< the same; calls back on the watching executor

  /// Takes effect within a moment; what was used stays used.
  void set_plans(plan_table);
  /// Time-outs and sizes take effect as `listener::set_limits` says, shares as `connection_budget::set` does.
  void set_limits(connection_limits const&);
  /// For connections that come from now on.
  void set_shares(connection_shares);
  void set_handshakes(handshake_shares);  ///< at once
  /// As `service::set_anonymous` says, on each lane within a moment.
  void set_anonymous(limits::plan const& anonymous, std::vector<std::string> const& cors_origins);

  /// Whether the process should get traffic. The host may set `quotas_ready`.
  readiness& state() noexcept;
  /// What all lanes have counted by now. It goes through every counter: for a scrape, not for a request.
  metrics_reading metrics() const;
  /// The keys that ask most, of each lane, and those that are refused most.
  busy_keys_reading busy_keys() const;
  connection_budget const& connections() const noexcept;  ///< how many there are, and may be
  key_registry const& keys() const noexcept;              ///< the store's, as they are known now
  std::size_t key_count() const;                          ///< of the store's keys that are not revoked

 private:
  struct impl;
  std::shared_ptr<impl> const impl_;  ///< shared with what runs on the executors
};

/// So many lanes over an executor that several threads run: as many strands.
PETSTORE_EXPORT std::vector<asio::any_io_executor> make_lanes(asio::any_io_executor const&, std::size_t count);

}  // namespace petstore::server
