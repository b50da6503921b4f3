// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "petstore/asio/default_token.hpp"
#include "petstore/asio/operation.hpp"
#include "petstore/asio/serial_executor.hpp"
#include "petstore/error.hpp"
#include "petstore/error_code.hpp"
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
#include "petstore/server/quota_watch.hpp"
#include "petstore/server/request.hpp"
#include "petstore/server/response.hpp"
#include "petstore/server/service.hpp"

namespace petstore::server {

/// The options of an application. Every member has a default that works; an empty function is not called.
struct PETSTORE_EXPORT application_options {
  service_options service = {};        ///< for the operations
  connection_limits connections = {};  ///< for each connection: time-outs and sizes
  connection_shares shares = {};       ///< the connection limit of all threads together and of one address
  handshake_shares handshakes = {};    ///< with TLS: how many handshakes from one address
  listener_options listeners = {};     ///< for each listener; the application itself sets what refers to its parts
  /// The plans that the keys in the store name. A key whose plan is missing here gets `free`; if such a key has
  /// its own value for one quota, it takes the other one from `free`. Without a `free` plan, such a key makes
  /// `async_start` fail; an application that serves already keeps the keys it knew before, and logs the error.
  plan_table plans{{"free", {limits::per_minute(60), limits::per_day(1'000)}},
                   {"pro", {limits::per_minute(300), limits::per_day(10'000)}},
                   {"business", {limits::per_minute(1'000), limits::per_day(100'000)}}};
  std::vector<mount> mounts = {};  ///< tried in this order, before the service
  bool counts_usage = false;       ///< whether the host calls `application::take_usage`, at least once a day
  key_check* keys = nullptr;       ///< replaces the keys in the store; must outlive the application
  clock_function clock = {};       ///< empty: the system's clocks
  /// Called on every executor, and by the thread that destroys the application. What it throws is ignored.
  log_function log = {};
  access_log_function access_log = {};  ///< called after each answer on its connection's executor, on several at once
  /// Called on the request's executor, on several at once, when an identity has used 80 % or 100 % of the quota of its
  /// long window. What it throws is ignored.
  quota_threshold_function on_quota_threshold = {};
  /// Replaces `access_log`. It is called once for each executor, and only that executor calls the function it returns.
  std::function<access_log_function()> make_access_log = {};
};

/// The longest duration of a drain. During `delay`, every answer says `Connection: close` (of pipelined requests that
/// have arrived, the last one) while load balancers notice. Then requests in progress have `timeout` to end. After
/// that, or up to 250 ms later, connections are closed and the work of mounts is cancelled; what does not end then is
/// left behind within half a second (`mount`). Whatever else then holds the drain (an executor that does not run, a
/// handler that blocks its thread, a store or a `key_check` that does not answer) has `patience` to end. A time of more
/// than a year counts as a year.
struct PETSTORE_EXPORT drain_times {
  std::chrono::milliseconds delay{0};         ///< 0 where there is no load balancer
  std::chrono::milliseconds timeout{10'000};  ///< 0 cuts off requests in progress at once
  std::chrono::milliseconds patience{5'000};  ///< after it the drain fails with errc::unavailable
};

template <class Executor>
class basic_application;

/// The whole service in a host program, on the host's executors: operations, keys, quotas and connections.
///
///     auto acceptors = server::open_acceptors({asio::ip::tcp::v4(), 8080}, {executor});
///     server::application application({executor}, std::move(store), std::move(quotas));
///     co_await application.async_start();
///     application.listen(std::move(acceptors));
///     …
///     bool const is_whole = co_await application.async_drain();
///
///     [made] --async_start()--> [serving] --async_drain()--> [draining] --last request--> [done]
///
/// It starts no thread, handles no signal, has no global state and never ends the process. One process may have any
/// number of applications. Connections are spread over the executors, and each stays on its own executor, so that
/// requests share nothing. An executor belongs to an io_context that one thread runs, or is a strand (`make_strands`,
/// for a thread pool). That of an asio::thread_pool itself does not compile, or throws where the compiler cannot see
/// it.
///
/// Its asynchronous operations take any completion token, by default use_awaitable or that of `as_default_on_t`
/// (`basic_application`). As with every operation of Asio, a handler is called only while its executor runs. Emit a
/// cancellation signal on the handler's executor, which runs one function at a time.
///
/// Thread safety: every member may be called from any thread. `async_start` succeeds once. `async_drain` may be called
/// again; all calls complete at the same end.
/// Lifetime: the application may be destroyed on the control executor after `async_drain` has completed without an
/// error, after its executors have stopped running, or before it has listened or served (work that `async_start` has
/// begun then ends by itself). Objects that the options refer to must outlive it; those that mounts refer to must
/// outlive work of mounts that was left behind. Destroy it before the contexts of its executors: only after a drain,
/// and without strands, may it outlive them. Destroy the context of the control executor after the threads that run the
/// other executors have been joined: one of them posts to it that the last executor is done.
class PETSTORE_EXPORT application {
 public:
  using executor_type = asio::any_io_executor;  ///< of the control executor
  /// An application whose operations have a default completion token.
  template <class Executor>
  struct rebind_executor {
    using other = basic_application<Executor>;  ///< that class
  };

  /// Makes an application that serves on `executors`, at least one. `control` follows the changes of keys and checks
  /// whether the store can take requests; if it is empty, the first executor does that. The application keeps store and
  /// quotas until the last request is over. For one that the host keeps elsewhere, for longer than its executors run,
  /// pass `{std::shared_ptr<void>{}, &own}`. Throws std::invalid_argument if there is no executor, no store or no
  /// source of quotas, for an executor of a thread pool, and for invalid options: a path without its slash, a mount
  /// without an answer, a rate of handshakes outside its range, a negative write time-out, a cost of no such operation;
  /// and what `quota_source::check` throws for a plan, that of anonymous callers included.
  application(std::vector<asio::any_io_executor> executors, std::shared_ptr<ports::store>,
              std::shared_ptr<ports::quota_source>, application_options = {}, serial_executor<> control = {});
  /// The same, for executors that are written down one by one.
  application(std::initializer_list<serial_executor<>> executors, std::shared_ptr<ports::store>,
              std::shared_ptr<ports::quota_source>, application_options = {}, serial_executor<> control = {});
  ~application();
  application(application const&) = delete;
  application& operator=(application const&) = delete;

  /// The control executor.
  [[nodiscard]] executor_type get_executor() const noexcept;

  /// Reads the keys, and follows their changes from then on. Complete it before listening: no key is known before.
  ///
  /// @completion_signature `void(boost::system::error_code)`. Errors: errc::conflict if the application has started
  /// before, is starting, or is draining; the error of the store, or errc::internal for an exception of the store, the
  /// quotas or the plans, after which it may be started again or destroyed; asio::error::operation_aborted. Why
  /// the keys cannot be read is logged (`keys_not_read`). The handler is called on its associated executor, by default
  /// the control executor, and never within `async_start`.
  ///
  /// @cancellation All types. Until the store has answered, the start completes at once with operation_aborted. The
  /// store goes on with what it was asked; when it has answered, the application may be started again. A signal that
  /// comes later changes nothing.
  ///
  /// @thread_safety Any thread. Emit a cancellation signal on the handler's executor.
  ///
  /// @exception_safety Strong: throws std::bad_alloc when there is no memory to begin; then nothing has begun, and the
  /// handler is not called.
  template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) Token = asio::use_awaitable_t<>>
  auto async_start(Token&& token = Token{}) {
    return initiate_start(nullptr, std::forward<Token>(token));
  }
  /// The same, and stores the failure in `why` instead of logging it, just before the handler is called.
  template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) Token = asio::use_awaitable_t<>>
  auto async_start(error& why, Token&& token = Token{}) {
    return initiate_start(&why, std::forward<Token>(token));
  }

  /// Opens a listener: one socket for each executor on the endpoint's port. Port 0 takes a free port. Returns the
  /// endpoint. Throws boost::system::system_error.
  asio::ip::tcp::endpoint listen(asio::ip::tcp::endpoint);
  /// Listens on the host's acceptors, one for each executor (open_acceptors, adopt_acceptors). They may belong to any
  /// executors; each executor of the application takes one over, in a turn of its own. When it cannot, for lack of
  /// descriptors or memory, it logs `listener_failed` and closes the acceptor; the other executors listen. Throws
  /// std::invalid_argument for another number of acceptors, and boost::system::system_error when one is not open.
  void listen(std::vector<asio::ip::tcp::acceptor>);
  /// Serves a connection that the host has accepted and has read nothing from. The socket may belong to any executor;
  /// an executor of the application takes it over. A drain that begins later serves it. A connection that comes after
  /// the delay of a drain is closed, and so is one that the executor cannot serve for lack of descriptors or memory
  /// (`listener_failed` in the log). Throws boost::system::system_error when the socket is not open.
  void serve(asio::ip::tcp::socket);

  /// Announces the end, finishes requests in progress, and closes the connections. An idle connection is closed after
  /// 50 ms, one that has sent no request yet after about 300 ms, and a TLS handshake in progress after about 1.3 s.
  /// After its last answer, a connection waits for its client to end its own direction, for about 2 s at most; the
  /// drain waits with it. Afterwards nothing of the application is left on its executors, except work of mounts that
  /// was left behind.
  ///
  /// @completion_signature `void(boost::system::error_code, bool)`. The flag is true if every request that arrived was
  /// answered, and false if some were cut off. A page that answers after its cancellation counts as an answer, also
  /// with the 503 of its exception. A request that arrives after its idle connection was closed does not count. Errors:
  /// errc::unavailable when something still held the drain after `drain_times::patience`: let the executors stop, and
  /// then destroy the application; or drain again; not_enough_memory. The handler is called on its associated executor,
  /// by default the control executor, and never within `async_drain`.
  ///
  /// @cancellation All types. A signal that comes while the operation runs shortens it: `delay` and `timeout` are then
  /// over for all drains, and the operation completes as usual, soon. A cancellation that came before does not matter
  /// to the operation, but Asio lets no cancelled coroutine await anything. A coroutine that drains because it was
  /// cancelled first forgets that:
  ///
  ///     co_await asio::this_coro::reset_cancellation_state(asio::enable_terminal_cancellation());
  ///     co_await application.async_drain();
  ///
  /// @thread_safety Any thread, several drains at a time. Emit a cancellation signal on the handler's executor.
  ///
  /// @exception_safety Strong: throws std::bad_alloc when there is no memory to begin; then nothing has begun, and the
  /// handler is not called.
  template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code, bool)) Token = asio::use_awaitable_t<>>
  auto async_drain(drain_times times = {}, Token&& token = Token{}) {
    initiation begin{get_executor(), [self = impl_, times](auto&& handler) {
                       auto const pending =
                           make_pending<bool>(std::forward<decltype(handler)>(handler), control_of(*self));
                       pending->on_cancellation([weak = std::weak_ptr(self), patience = times.patience](auto&) {
                         if (auto const i = weak.lock()) begin_drain(i, {.timeout = {}, .patience = patience}, {});
                       });
                       begin_drain(self, times, [pending](boost::system::error_code failed, bool is_whole) {
                         pending->complete(failed, is_whole);
                       });
                     }};
    return asio::async_initiate<Token, void(boost::system::error_code, bool)>(std::move(begin), token);
  }
  /// The same with the default times.
  template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code, bool)) Token>
  requires(!std::convertible_to<Token, drain_times>) auto async_drain(Token&& token) {
    return async_drain(drain_times{}, std::forward<Token>(token));
  }

  /// Changes options while the application serves. It takes `plans`, `connections`, `shares`, `handshakes`, and those
  /// of `service` that `service::reconfigure` takes; the rest is ignored. The limits on connections and handshakes
  /// apply at once to those that begin afterwards (`connection_budget::set`). Everything else applies soon, on each
  /// executor. A listener that is open already keeps its `accept_wait`, `turn_wait` and `connections_few`. The used
  /// part of a quota stays used. Start from the options that the application was made with, and change them. Throws
  /// std::invalid_argument, before it changes anything, if `service.costs` names no operation that takes tokens, if the
  /// rate of `handshakes` is outside its range, or if the write time-out is negative; and what `quota_source::check`
  /// throws for a plan, that of anonymous callers included.
  void reconfigure(application_options const&);

  /// Whether the process should get traffic. The host may set `quotas_ready`.
  readiness& state() noexcept;
  /// The sum of what all executors have counted. It reads every counter: call it for a scrape, not for a request.
  [[nodiscard]] metrics_reading metrics() const;
  /// The exemplars of every operation, of all executors the latest. For a scrape, too.
  [[nodiscard]] std::vector<operation_exemplars> exemplars() const;
  /// The keys of each executor with the most requests and with the most refusals.
  [[nodiscard]] busy_keys_reading busy_keys() const;
  /// Returns the requests of every key since the last call, by the UTC day on which they were made; none without
  /// `application_options::counts_usage`. A key may be there for each executor and day. One call at a time. Once a
  /// drain has completed, it returns all that is left.
  [[nodiscard]] std::vector<ports::usage_of_key> take_usage();
  /// How many connections there are, and how many there may be.
  [[nodiscard]] connection_budget const& connections() const noexcept;
  /// The keys of the store, as they are known now.
  [[nodiscard]] key_registry const& keys() const noexcept;
  /// The number of the store's keys that are not revoked.
  [[nodiscard]] std::size_t key_count() const;

 private:
  struct impl;

  template <class Token>
  auto initiate_start(error* why, Token&& token) {
    initiation begin{get_executor(), [self = impl_, why](auto&& handler) {
                       auto const pending = make_pending<>(std::forward<decltype(handler)>(handler), control_of(*self));
                       // The first to clear it decides: the cancellation, or the start, which then takes effect.
                       auto const is_open = std::make_shared<std::atomic<bool>>(true);
                       pending->on_cancellation([is_open](auto& completion) {
                         if (is_open->exchange(false) && !completion.abort()) is_open->store(true);
                       });
                       auto const log = why ? failure_log::by_caller : failure_log::by_application;
                       begin_start(self, is_open, log, [pending, why](result<void> const& started) {
                         pending->post([pending, why, started] {
                           if (why && !started && pending->is_awaited()) *why = started.error();
                           pending->finish(started ? boost::system::error_code{} : started.error().code);
                         });
                       });
                     }};
    return asio::async_initiate<Token, void(boost::system::error_code)>(std::move(begin), token);
  }

  // Any thread.
  enum class failure_log : bool { by_caller, by_application };
  static executor_type control_of(impl const&) noexcept;
  static void begin_start(std::shared_ptr<impl> const&, std::shared_ptr<std::atomic<bool>> is_open, failure_log,
                          std::function<void(result<void> const&)> done);
  static void begin_drain(std::shared_ptr<impl> const&, drain_times,
                          std::function<void(boost::system::error_code, bool is_whole)> done);  ///< `done` may be empty

  std::shared_ptr<impl> const impl_;  ///< shared with the work on the executors
};

/// Makes `count` strands over an executor that several threads run, for the executors of an application.
[[nodiscard]] PETSTORE_EXPORT std::vector<asio::any_io_executor> make_strands(asio::any_io_executor const&,
                                                                              std::size_t count);

/// An application whose operations have the default completion token of `Executor`:
///
///     using application = asio::as_tuple_t<asio::use_awaitable_t<>>::as_default_on_t<server::application>;
template <class Executor>
class basic_application : public application {
 public:
  using application::application;

  /// The same as of the base.
  template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) Token = default_token<Executor>>
  auto async_start(Token&& token = Token{}) {
    return application::async_start(std::forward<Token>(token));
  }
  /// The same as of the base.
  template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) Token = default_token<Executor>>
  auto async_start(error& why, Token&& token = Token{}) {
    return application::async_start(why, std::forward<Token>(token));
  }
  /// The same as of the base.
  template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code, bool)) Token = default_token<Executor>>
  auto async_drain(drain_times times = {}, Token&& token = Token{}) {
    return application::async_drain(times, std::forward<Token>(token));
  }
  /// The same as of the base.
  template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code, bool)) Token>
  requires(!std::convertible_to<Token, drain_times>) auto async_drain(Token&& token) {
    return application::async_drain(std::forward<Token>(token));
  }
};

}  // namespace petstore::server
