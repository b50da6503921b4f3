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

/// What an application is made with. Every member has a default that works; an empty function is not called.
struct PETSTORE_EXPORT application_options {
  service_options service = {};        ///< for the operations
  connection_limits connections = {};  ///< for each connection: time-outs and sizes
  connection_shares shares = {};       ///< for all threads together: how many connections, in all and from one address
  handshake_shares handshakes = {};    ///< with TLS: how many handshakes from one address
  listener_options intake = {};        ///< for each listener; the application itself sets what refers to its parts
  /// The plans that keys in the store name. A key whose plan is missing here gets `free`; a key that has one quota of
  /// its own takes the other from `free`. Without a `free` plan, such a key makes `start` fail; while the application
  /// serves, it keeps the keys it knew before, and logs that.
  plan_table plans{{"free", {.per_minute = 60, .per_day = 1'000}},
                   {"pro", {.per_minute = 300, .per_day = 10'000}},
                   {"business", {.per_minute = 1'000, .per_day = 100'000}}};
  std::vector<mount> mounts = {};       ///< looked at in this order, before the service
  key_check* keys = nullptr;            ///< replaces the keys in the store; outlives the application
  clock_function clock = {};            ///< empty: the system's clocks
  log_function log = {};                ///< called on every executor, and by the thread that destroys the application
  access_log_function access_log = {};  ///< called on the connection's executor after each answer, on several at once
  /// Replaces `access_log`: called once for each executor, which then is the only one to call what it returns.
  std::function<access_log_function()> make_access_log = {};
};

/// How long a drain takes at most. For `delay`, every answer says `Connection: close` while load balancers notice.
/// Then requests in progress have `timeout` to end, and are cut off after that. The answer of a mount cannot be cut
/// off: the drain waits for it, however long it takes.
struct PETSTORE_EXPORT drain_times {
  std::chrono::milliseconds delay{0};         ///< 0 where there is no load balancer
  std::chrono::milliseconds timeout{10'000};  ///< 0 cuts off requests in progress at once
};

/// The whole service in a host program, on the host's executors: operations, keys, quotas, connections.
///
///     auto acceptors = server::open_acceptors({asio::ip::tcp::v4(), 8080}, {executor});
///     server::application application({executor}, std::move(store), std::move(quotas));
///     auto const started = co_await application.start();
///     application.listen(std::move(acceptors));
///     …
///     co_await application.drain();
///
///     [made] --start()--> [serving] --drain()--> [draining] --last request--> [done]
///
/// It starts no thread, handles no signal, has no global state and never ends the process; one process may have any
/// number of them. Connections are spread over the executors, and each stays on its own, so that requests share
/// nothing. An executor is that of an io_context that one thread runs, or a strand (`make_strands`, for a thread pool).
///
/// Thread safety: every member may be called from any thread. `start` succeeds once, and is errc::conflict afterwards.
/// `drain` may be called again; each call completes at the same end.
/// Lifetime: the application may be destroyed, on the control executor, when `drain` has completed, when its executors
/// run no more, or before it has listened or served (what `start` has begun then ends by itself). What the options
/// refer to outlives it. The context of the control executor is destroyed after the threads that run the other
/// executors have been joined: one of them posts to it that the last executor is done.
class PETSTORE_EXPORT application {
 public:
  /// Makes an application that serves on `executors`, at least one. `control` follows the changes of keys and checks
  /// whether the store can take requests; the first executor does that where it is empty. Store and quotas are kept
  /// until the last request is over; pass `{std::shared_ptr<void>{}, &own}` for one that the host keeps elsewhere, and
  /// for longer than its executors run. Throws std::invalid_argument for no executor, no store, no source of quotas,
  /// and for options that cannot be: a path without its slash, a mount without an answer.
  application(std::vector<asio::any_io_executor> executors, std::shared_ptr<ports::store>,
              std::shared_ptr<ports::quota_source>, application_options = {}, asio::any_io_executor control = {});
  ~application();
  application(application const&) = delete;
  application& operator=(application const&) = delete;

  /// Reads the keys, and follows their changes from then on. Await it before listening: no key is known before.
  /// Errors: errc::conflict, or the store's error, after which the application may be started again or destroyed.
  asio::awaitable<result<void>> start();
  /// The same; calls back on the control executor. Takes a function, no completion token such as asio::use_future.
  void start(std::function<void(result<void>)> done);

  /// Opens a listener: one socket for each executor on the endpoint's port. Port 0 takes a free one. Returns the
  /// endpoint. Throws boost::system::system_error.
  asio::ip::tcp::endpoint listen(asio::ip::tcp::endpoint);
  /// Listens on the host's acceptors: one for each executor, in their order (open_acceptors, adopt_acceptors); throws
  /// std::invalid_argument for another number.
  void listen(std::vector<asio::ip::tcp::acceptor>);
  /// Serves a connection that the host has accepted and has read nothing from. The socket may be of any executor; one
  /// of the application's takes it. Closes a connection that comes after the delay of `drain`. Throws
  /// boost::system::system_error when the socket is not open.
  void serve(asio::ip::tcp::socket);

  /// Announces the end, finishes requests in progress, closes. True: every request that came was answered; false: some
  /// were cut off. After it nothing of the application is left on its executors. It cannot be cancelled:
  /// `drain() || something` waits for the drain all the same.
  asio::awaitable<bool> drain(drain_times = {});
  void drain(drain_times, std::function<void(bool)> done);  ///< the same; calls back on the control executor

  /// Takes other options while it serves: of these `plans`, `connections`, `shares`, `handshakes`, and of `service`
  /// what `service::reconfigure` takes; the rest is ignored. The limits on connections and handshakes hold at once, for
  /// those that begin afterwards (`connection_budget::set`), everything else soon, on each executor. What was used of
  /// a quota stays used. Take the options that the application was made with, and change them.
  void reconfigure(application_options const&);

  /// Whether the process should get traffic. The host may set `quotas_ready`.
  readiness& state() noexcept;
  /// The sum of what all executors have counted. It reads every counter: call it for a scrape, not for a request.
  metrics_reading metrics() const;
  /// The keys that ask most and those that are refused most, of each executor.
  busy_keys_reading busy_keys() const;
  connection_budget const& connections() const noexcept;  ///< how many there are, and may be
  key_registry const& keys() const noexcept;              ///< the store's, as they are known now
  std::size_t key_count() const;                          ///< of the store's keys that are not revoked

 private:
  struct impl;
  std::shared_ptr<impl> const impl_;  ///< shared with what runs on the executors
};

/// Makes `count` strands over an executor that several threads run, for the executors of an application.
PETSTORE_EXPORT std::vector<asio::any_io_executor> make_strands(asio::any_io_executor const&, std::size_t count);

}  // namespace petstore::server
