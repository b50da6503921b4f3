// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/error_code.hpp>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "petstore/asio/default_token.hpp"
#include "petstore/asio/operation.hpp"
#include "petstore/asio/serial_executor.hpp"
#include "petstore/error_code.hpp"
#include "petstore/export.hpp"
#include "petstore/limits/cost.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/plan.hpp"
#include "petstore/limits/verdict.hpp"
#include "petstore/ports/charge_queue.hpp"
#include "petstore/ports/quota_source.hpp"

namespace petstore::ports {

namespace detail {

/// The list that an operation uses: borrowed, and owned by a copy or by what it was moved to, which a deferred
/// operation is. So an operation that begins at once, as most do, counts no reference.
class borrowed_list {
 public:
  explicit borrowed_list(std::shared_ptr<waiting_list> const& list) noexcept : list_{list.get()} {}
  borrowed_list(borrowed_list const& other) : own_{other.share()}, list_{own_.get()} {}
  borrowed_list(borrowed_list&& other) : own_{other.own_ ? std::move(other.own_) : other.share()}, list_{own_.get()} {
    other.list_ = nullptr;
  }
  borrowed_list& operator=(borrowed_list const&) = delete;

  waiting_list* operator->() const noexcept { return list_; }
  std::shared_ptr<waiting_list> share() const { return list_ ? list_->shared_from_this() : nullptr; }

 private:
  std::shared_ptr<waiting_list> own_;
  waiting_list* list_;
};

/// A charge of a source that has to be asked, which the source refers to until the verdict is there.
struct PETSTORE_EXPORT remote_charge {
  std::shared_ptr<quota_source> source;
  payer who;
};

inline asio::awaitable<limits::verdict> take(std::shared_ptr<remote_charge> charge, limits::cost tokens,
                                             limits::instant now) {
  auto charging = charge->source->charge(charge->who, tokens, now);
  limits::verdict const got = co_await std::move(charging).wait();
  co_return got;
}

inline asio::awaitable<void> give_back(std::shared_ptr<remote_charge> charge, limits::verdict charged,
                                       limits::instant now) {
  auto returning = charge->source->refund(charge->who, charged, now);
  co_await std::move(returning).wait();
}

}  // namespace detail

/// Charges identities of a source of quotas, local or shared by many nodes, as an Asio operation.
///
///     ports::async_quota quota(context.get_executor(), source, {limits::per_minute(60)});
///     auto const verdict = co_await quota.async_charge(customer, 3);
///     co_await quota.async_wait_charge(customer, 3);  // completes when it has the tokens
///
/// Of several tokens either all are taken or none, in one step. A source that need not ask for them takes them within
/// `async_charge`. A charge above the size of a quota is refused without taking a token.
///
/// `async_wait_charge` completes when the charge is admitted. Those of one identity are served in the order in which
/// they arrive: the first waits as long as its refusal says (`verdict::retry_after`), also for the end of a ban, and
/// the others wait behind it. Within the wait that a refusal of one of them announced, a charge is made only if there
/// are tokens again: so they make no strikes, also if they are given up one after the other. After a refusal of
/// `async_charge`, or of another user of the source, the first of them may make one. `async_charge` does not queue, and
/// may take a token before them. Each queue has one timer, which looks at the clock at least every 30 s: when a
/// suspended machine wakes up, a wait that is over ends within that time.
///
/// Default completion tokens: use_awaitable, or that of the executor:
/// `use_awaitable_t<>::as_default_on_t<async_quota>`.
///
/// Thread safety: every function from any thread. Emit a cancellation signal on the handler's executor, which runs one
/// function at a time (a strand over a pool of threads), as for every operation of Asio. A pending charge keeps the
/// source; this object need not outlive it. Charges that wait go with the context of the executor. This object may be
/// destroyed after that context, unless the executor is a strand: no strand of Asio may.
template <class Executor = asio::any_io_executor>
class PETSTORE_EXPORT basic_async_quota {
 public:
  using executor_type = Executor;  ///< on which a source is asked
  /// The same class with another executor, for example one with a default completion token.
  template <class Other>
  struct rebind_executor {
    using other = basic_async_quota<Other>;  ///< that class
  };

  /// Returns the current time. Called when a charge begins, while it waits, and when a cancelled one is given back: by
  /// the threads that begin charges, those that run the executor, and those that run the handlers, several at a time.
  /// So it is a function for any thread, such as `[&coarse] { return coarse(); }` of a coarse_clock, and not a
  /// frequent_clock.
  using clock = std::function<limits::instant()>;

  /// `executor` must run on one thread or be a strand (serial_executor); a source is asked on it, and charges wait on
  /// it. `plan` is for identities that are charged without a plan of their own. At most `waiters_max` charges of one
  /// identity wait at a time. Throws std::invalid_argument if there is no source, and what `quota_source::check` throws
  /// for the plan.
  basic_async_quota(serial_executor<Executor> executor, std::shared_ptr<quota_source> source, limits::plan const& plan,
                    clock c = &limits::now, std::size_t waiters_max = 100)
      : executor_{executor.get()},
        plan_{plan},
        waiting_{std::make_shared<detail::waiting_list>(executor_, std::move(source), std::move(c), waiters_max)} {
    if (!waiting_->source) throw std::invalid_argument{"a quota needs a source"};
    waiting_->source->check(plan);
  }

  /// The executor given to the constructor.
  executor_type get_executor() const noexcept { return executor_; }

  /// Charges under the plan given to the constructor. `identity` is a number of the caller's customer, but 0, or stands
  /// for a name (`limits::keyed_hash::identity_of`): the source finds its account for each charge
  /// (`quota_source::payer_of`).
  ///
  /// @completion_signature `void(boost::system::error_code, limits::verdict)`. A refusal is a verdict, not an error.
  /// Errors: that of a source that is unavailable and whose policy is to refuse (the shared source: a code of Redis or
  /// of the system), errc::invalid_request for the identity 0, limits::limiter_errc::invalid_plan and burst_not_shared,
  /// not_enough_memory, asio::error::operation_aborted, errc::internal for an exception without an error code. The
  /// handler is called on its associated executor, by default the executor given here, and never within `async_charge`.
  ///
  /// @cancellation All types. The charge completes at once with operation_aborted. Tokens that the source still takes
  /// for it are given back, so it costs nothing. A charge of a local source is over when a signal comes.
  ///
  /// @thread_safety Any thread, several charges at a time. Emit a cancellation signal on the handler's executor.
  ///
  /// @exception_safety Strong: throws std::bad_alloc when there is no memory to begin; then nothing is taken, and the
  /// handler is not called. (A source whose `refund` has to ask may have taken the tokens.)
  template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code, limits::verdict))
                Token = default_token<Executor>>
  auto async_charge(std::uint64_t identity, limits::cost tokens, Token&& token = Token{}) {
    return async_charge(identity, plan_, tokens, std::forward<Token>(token));
  }
  /// The same under the identity's own plan. It may change between calls; the used part of the quota stays used.
  template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code, limits::verdict))
                Token = default_token<Executor>>
  auto async_charge(std::uint64_t identity, limits::plan const& plan, limits::cost tokens, Token&& token = Token{}) {
    initiation begin{executor_, detail::borrowed_list{waiting_}, identity, plan, tokens};
    return asio::async_initiate<Token, void(boost::system::error_code, limits::verdict)>(std::move(begin), token);
  }

  /// Charges under the plan given to the constructor, and waits until the charge is admitted. While it waits, nothing
  /// looks at the client that the charge is for: a program that does not want to wait for one that has left reads its
  /// connection meanwhile, and cancels the charge when the read ends.
  ///
  /// @completion_signature `void(boost::system::error_code, limits::verdict)`. Errors: those of `async_charge`, and two
  /// that come at once: errc::rate_limited if the cost is above a quota of the plan, so that it is never admitted (the
  /// verdict's `can_ever_pass` is false); and errc::unavailable if `waiters_max` charges of the identity wait. In both
  /// cases nothing is taken. With errc::rate_limited the verdict is valid, and may be sent to the client; with any
  /// other error it means nothing. The handler is called as that of `async_charge`.
  ///
  /// @cancellation All types. The charge leaves the queue and completes at once with operation_aborted; it costs
  /// nothing. Those behind it move up.
  ///
  /// @thread_safety Any thread, several charges at a time. Emit a cancellation signal on the handler's executor.
  ///
  /// @exception_safety Strong: throws std::bad_alloc when there is no memory to begin; then nothing has begun, and the
  /// handler is not called.
  template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code, limits::verdict))
                Token = default_token<Executor>>
  auto async_wait_charge(std::uint64_t identity, limits::cost tokens, Token&& token = Token{}) {
    return async_wait_charge(identity, plan_, tokens, std::forward<Token>(token));
  }
  /// The same under the identity's own plan.
  template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code, limits::verdict))
                Token = default_token<Executor>>
  auto async_wait_charge(std::uint64_t identity, limits::plan const& plan, limits::cost tokens,
                         Token&& token = Token{}) {
    waiting_initiation begin{{executor_, detail::borrowed_list{waiting_}, identity, plan, tokens}};
    return asio::async_initiate<Token, void(boost::system::error_code, limits::verdict)>(std::move(begin), token);
  }

  /// The first of each queue looks again now. Call it when there are tokens earlier than the refusal said: after a
  /// refund that others made, an operator's reset, or the end of a ban. A needless call takes nothing and is no strike.
  void retry_waiting() { waiting_->retry(); }

 private:
  /// Begins a charge. A deferred operation keeps it.
  struct initiation {
    using executor_type = Executor;

    Executor executor;
    detail::borrowed_list waiting;
    std::uint64_t identity;
    limits::plan plan;
    limits::cost tokens;

    executor_type get_executor() const noexcept { return executor; }

    template <class Handler>
    void operator()(Handler&& handler) const {
      payer who;
      limits::instant at;
      limits::verdict at_once;
      bool is_ready = false;
      boost::system::error_code failed;
      try {
        at = waiting->now();
        who = waiting->payer_of(identity, plan);
        auto charging = waiting->source->charge(who, tokens, at);
        is_ready = charging.is_ready();
        if (is_ready) at_once = charging.take();
      } catch (...) {
        failed = code_of(std::current_exception());
      }
      if (!failed && !is_ready) return wait(std::forward<Handler>(handler), who, at);
      auto const where = asio::get_associated_executor(handler, executor);
      auto const allocator = asio::get_associated_allocator(handler);
      auto complete = [handler = std::forward<Handler>(handler), failed, at_once]() mutable {
        std::move(handler)(failed, at_once);
      };
      try {
        // Asio posts what has nothing associated without counting work once more and without a second step.
        if constexpr (!keeps_running<std::remove_const_t<decltype(where)>>)
          asio::post(executor, asio::bind_executor(where, std::move(complete)));
        else if constexpr (std::is_same_v<decltype(allocator), std::allocator<void> const>)
          asio::post(where, std::move(complete));
        else
          asio::post(where, asio::bind_allocator(allocator, std::move(complete)));
      } catch (...) {
        if (at_once.admitted()) (void)waiting->source->refund(who, at_once, at);
        throw;
      }
    }

    /// Charges a source that has to be awaited. The call before has charged nothing, since nobody awaited it; this one
    /// is for a copy of the payer that outlives the wait.
    template <class Handler>
    void wait(Handler&& handler, payer const& who, limits::instant at) const {
      auto const pending = make_pending<limits::verdict>(std::forward<Handler>(handler), executor);
      auto const charge = std::make_shared<detail::remote_charge>(detail::remote_charge{waiting->source, who});
      pending->on_cancellation([](auto& completion) { completion.abort(); });
      auto ended = [end = end_of(pending), charge](std::exception_ptr thrown, limits::verdict const& verdict) {
        end(charge, code_of(thrown), verdict);
      };
      asio::co_spawn(executor, detail::take(charge, tokens, at), std::move(ended));
    }

    /// Returns a function that ends an operation. The handler's executor learns whether the tokens are wanted, and this
    /// one has to run until those that are not are returned. Then they are for a charge that waits.
    template <class Pending>
    auto end_of(std::shared_ptr<Pending> const& pending) const {
      return [pending, work = asio::make_work_guard(executor), list = waiting.share(), who = identity](
                 std::shared_ptr<detail::remote_charge> const& charge, boost::system::error_code failed,
                 limits::verdict const& verdict) {
        pending->post([pending, charge, work, list, who, failed, verdict] {
          bool const is_wanted = pending->finish(failed, verdict);
          if (is_wanted || !verdict.admitted()) return;
          auto given_back = [list, who](std::exception_ptr const&) { list->retry(who); };
          asio::co_spawn(work.get_executor(), detail::give_back(charge, verdict, list->now()), std::move(given_back));
        });
      };
    }
  };

  /// Begins a charge that waits.
  struct waiting_initiation : initiation {
    template <class Handler>
    void operator()(Handler&& handler) const {
      auto const pending = make_pending<limits::verdict>(std::forward<Handler>(handler), this->executor);
      auto const charge = std::make_shared<detail::waiting_charge>(
          detail::waiting_charge{this->identity, this->plan, this->tokens, {}});
      charge->tell = [end = this->end_of(pending), source = this->waiting->source, weak = std::weak_ptr(charge)](
                         boost::system::error_code failed, limits::verdict const& verdict) {
        auto const who = weak.lock()->who;  // the queue owns the charge while it calls this
        end(std::make_shared<detail::remote_charge>(detail::remote_charge{source, who}), failed, verdict);
      };
      // The queues own the charge, and it owns the handler, so what the handler's slot keeps must own neither.
      auto const queues = this->waiting->queues();
      pending->on_cancellation([weak_queues = std::weak_ptr(queues), weak = std::weak_ptr(charge)](auto& completion) {
        if (!completion.abort()) return;
        auto const known = weak_queues.lock();
        if (auto left = weak.lock(); known && left) known->leave(std::move(left));
      });
      queues->join(charge);
    }
  };

  Executor executor_;
  limits::plan plan_;
  std::shared_ptr<detail::waiting_list> waiting_;  ///< shared with what was begun
};

/// Charges on any executor.
using async_quota = basic_async_quota<>;

}  // namespace petstore::ports
