// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "petstore/asio/default_token.hpp"
#include "petstore/asio/operation.hpp"
#include "petstore/asio/serial_executor.hpp"
#include "petstore/error.hpp"
#include "petstore/error_code.hpp"
#include "petstore/export.hpp"
#include "petstore/key_registry.hpp"
#include "petstore/ports/quota_source.hpp"
#include "petstore/ports/store.hpp"
#include "petstore/server/clock.hpp"
#include "petstore/server/log.hpp"

namespace petstore::server {

namespace asio = boost::asio;

template <class Executor>
class basic_key_watcher;

/// Brings the changes that `petstore keys …` writes into the store to a running server. It polls the version of the
/// keys, and does so at once when the store reports a possible change. After a change it publishes a new snapshot and
/// hands operators' bans to the quotas.
///
/// A failing store is reported once, and its recovery once; until then the last known keys stay in use.
///
/// Its asynchronous operations take any completion token. Their handlers are called on their associated executors, by
/// default the watcher's, and never within the initiating function. Emit a cancellation signal on the handler's
/// executor.
///
/// Thread safety: `set_plans` from any thread; the rest on the watcher's executor, which must run on one thread or be
/// a strand. Objects given by reference must outlive the watcher; the watcher must outlive what its operations asked
/// the store for.
class PETSTORE_EXPORT key_watcher {
 public:
  /// The delay until a change is noticed if the store does not report it.
  static constexpr std::chrono::milliseconds poll_interval{250};

  using executor_type = asio::any_io_executor;  ///< of the watcher's executor
  /// A watcher whose operations have a default completion token.
  template <class Executor>
  struct rebind_executor {
    using other = basic_key_watcher<Executor>;  ///< that class
  };

  /// Does not ask the store; `async_refresh` and `async_run` do. Neither function may be empty.
  key_watcher(serial_executor<> const&, ports::store&, ports::quota_source&, key_registry&, plan_table, clock_function,
              log_function);
  ~key_watcher();

  /// The watcher's executor.
  executor_type get_executor() const noexcept { return executor_; }

  /// Publishes the current keys if they or the plans have changed since the last time. Complete it once before
  /// accepting connections. Of several at a time, only the keys that were asked for last are published.
  ///
  /// @completion_signature `void(boost::system::error_code)`. Errors: that of the store; errc::internal for an
  /// exception of the store or the quotas; asio::error::operation_aborted, also for one that is begun after `stop`.
  ///
  /// @cancellation All types. It completes at once. The store goes on with what it was asked, and the keys that it
  /// answers are published.
  ///
  /// @thread_safety The watcher's executor, several at a time. Emit a cancellation signal on the handler's executor.
  ///
  /// @exception_safety Strong: throws std::bad_alloc when there is no memory to begin; then nothing has begun, and the
  /// handler is not called.
  template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) Token = asio::use_awaitable_t<>>
  auto async_refresh(Token&& token = Token{}) {
    return initiate_refresh(nullptr, std::forward<Token>(token));
  }
  /// The same, and stores the failure in `why`, just before the handler is called.
  template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) Token = asio::use_awaitable_t<>>
  auto async_refresh(error& why, Token&& token = Token{}) {
    return initiate_refresh(&why, std::forward<Token>(token));
  }

  /// Logs why the keys could not be read.
  void report(error const&) const;

  /// Refreshes every `poll_interval`, and when the store reports a change, until `stop`. Logs failures.
  ///
  /// @completion_signature `void(boost::system::error_code)`, after `stop` with success. Errors: errc::conflict while
  /// another one runs; operation_aborted, also for one that is begun after `stop`; what the log throws.
  ///
  /// @cancellation All types. It completes after the refresh that it is waiting for, and may be begun again.
  ///
  /// @thread_safety The watcher's executor, one at a time. Emit a cancellation signal on the handler's executor.
  ///
  /// @exception_safety Strong: throws std::bad_alloc when there is no memory to begin; then nothing has begun, and the
  /// handler is not called.
  template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) Token = asio::use_awaitable_t<>>
  auto async_run(Token&& token = Token{}) {
    initiation begin{executor_, [this, state = state_, executor = executor_](auto&& handler) {
                       auto const pending = make_pending<>(std::forward<decltype(handler)>(handler), executor);
                       if (state->is_stopped) return pending->complete(asio::error::operation_aborted);
                       if (state->is_running) return pending->complete(errc::conflict);
                       auto const end = std::make_shared<run_end>(state, timer_);
                       pending->on_cancellation([weak = std::weak_ptr(end)](auto&) {
                         if (auto const running = weak.lock()) cancel_run(running);
                       });
                       begin_run(end, [pending](boost::system::error_code failed) { pending->complete(failed); });
                     }};
    return asio::async_initiate<Token, void(boost::system::error_code)>(std::move(begin), token);
  }
  /// Makes `async_run` complete, after the refresh that it is waiting for. From then on the watcher uses neither the
  /// store nor the context of its executor, which may be destroyed before the watcher, unless the executor is a strand.
  /// The destructor stops, too: whatever runs then, or is launched later, looks at the watcher no more.
  void stop();

  /// Takes effect with the next refresh. The used part of each quota is kept. Keys whose plan is missing here get
  /// `free`. If there are such keys and no plan `free`, a failure is reported, and the last known plans stay in use.
  void set_plans(plan_table);

 private:
  /// Whether the watcher may be used. Shared by the watcher, its operations and those that are launched later. On the
  /// watcher's executor.
  struct shared_state {
    bool is_stopped = false;
    bool is_running = false;  ///< there is an `async_run`
  };
  /// The end of one `async_run`. Shared by the run and what its cancellation posts. On the watcher's executor.
  struct run_end {
    run_end(std::shared_ptr<shared_state> of, std::shared_ptr<asio::steady_timer> t)
        : watcher{std::move(of)}, timer{std::move(t)} {}
    bool is_over() const noexcept { return watcher->is_stopped || is_cancelled; }

    std::shared_ptr<shared_state> watcher;
    std::shared_ptr<asio::steady_timer> timer;
    bool is_cancelled = false;
  };

  template <class Token>
  auto initiate_refresh(error* why, Token&& token) {
    initiation begin{executor_, [this, why, state = state_, executor = executor_](auto&& handler) {
                       auto const pending = make_pending<>(std::forward<decltype(handler)>(handler), executor);
                       if (state->is_stopped) return pending->complete(asio::error::operation_aborted);
                       pending->on_cancellation([](auto& completion) { completion.abort(); });
                       begin_refresh([pending, why](result<void> const& done) {
                         pending->post([pending, why, done] {
                           if (why && !done && pending->is_awaited()) *why = done.error();
                           pending->finish(done ? boost::system::error_code{} : done.error().code);
                         });
                       });
                     }};
    return asio::async_initiate<Token, void(boost::system::error_code)>(std::move(begin), token);
  }

  void begin_refresh(std::function<void(result<void> const&)> done);
  void begin_run(std::shared_ptr<run_end> const&, std::function<void(boost::system::error_code)> done);
  static void cancel_run(std::shared_ptr<run_end> const&);
  asio::awaitable<result<void>> refresh();
  asio::awaitable<void> run(std::shared_ptr<run_end>);
  asio::awaitable<result<void>> reload_if_changed();
  void publish(key_directory const&, plan_table const&);
  void apply_bans(key_directory const&);

  /// The changes of an identity that the quotas have.
  struct applied_changes {
    std::uint64_t bans = 0;    ///< `identity_record::ban_changes`
    std::uint64_t resets = 0;  ///< `identity_record::quota_resets`
  };

  executor_type const executor_;
  ports::store& store_;
  ports::quota_source& quotas_;
  key_registry& registry_;
  clock_function const clock_;
  log_function const log_;

  std::shared_ptr<asio::steady_timer> timer_;  ///< until `stop`; shared with a pending notification of the store
  std::shared_ptr<shared_state> const state_ = std::make_shared<shared_state>();
  bool store_failing_ = false;
  bool loaded_ = false;
  std::uint64_t reads_begun_ = 0;
  std::uint64_t read_published_ = 0;   ///< the number of the read whose keys were published last
  std::uint64_t version_ = 0;          ///< of the keys that were published last
  std::uint64_t plans_published_ = 0;  ///< the revision of the plans that were published with them
  std::unordered_map<std::uint64_t, applied_changes> applied_;  ///< by identity

  std::mutex plans_mutex_;  ///< guards the next two
  plan_table plans_;
  std::uint64_t plans_revision_ = 0;
};

/// A watcher whose operations have the default completion token of `Executor`:
/// `asio::deferred_t::as_default_on_t<server::key_watcher>`.
template <class Executor>
class basic_key_watcher : public key_watcher {
 public:
  using key_watcher::key_watcher;

  /// The same as of the base.
  template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) Token = default_token<Executor>>
  auto async_refresh(Token&& token = Token{}) {
    return key_watcher::async_refresh(std::forward<Token>(token));
  }
  /// The same as of the base.
  template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) Token = default_token<Executor>>
  auto async_refresh(error& why, Token&& token = Token{}) {
    return key_watcher::async_refresh(why, std::forward<Token>(token));
  }
  /// The same as of the base.
  template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) Token = default_token<Executor>>
  auto async_run(Token&& token = Token{}) {
    return key_watcher::async_run(std::forward<Token>(token));
  }
};

}  // namespace petstore::server
