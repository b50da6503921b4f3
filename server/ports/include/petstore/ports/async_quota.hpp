// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "petstore/export.hpp"
#include "petstore/limits/cost.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/limits/plan.hpp"
#include "petstore/limits/verdict.hpp"
#include "petstore/ports/quota_source.hpp"

namespace petstore::ports {

namespace detail {

asio::awaitable<limits::verdict> take(quota_source&, payer, limits::cost, limits::instant);
asio::awaitable<void> give_back(quota_source&, payer, limits::verdict charged, limits::instant);

}  // namespace detail

/// Charges identities of a source of quotas, local or shared by many nodes, as an Asio operation.
///
///     ports::async_quota quota(context.get_executor(), source, {.per_minute = 60});
///     auto const verdict = co_await quota.charge(customer, 3);
///
/// Any completion token works. The signature is void(std::exception_ptr, limits::verdict), like that of co_spawn. Boost
/// 1.81 cannot await the result of `deferred` for such a signature; use use_awaitable instead. The handler runs on its
/// associated executor, by default the executor given here, and never within `charge`. An unavailable source whose
/// policy is to refuse causes an exception (the shared source: boost::system::system_error). A cancellation (any type)
/// completes at once with boost::system::system_error of asio::error::operation_aborted. Tokens that the source still
/// takes for it are given back, so it costs nothing.
///
/// Of several tokens either all are taken or none, in one step. A charge above the size of a quota is refused without
/// taking a token.
///
/// Thread safety: `charge` from any thread. A cancellation signal must be emitted on the handler's executor, as for
/// every Asio operation. A pending charge keeps the source; this object need not outlive it.
class PETSTORE_EXPORT async_quota {
 public:
  /// Returns the current time. Called by `charge`, and when a cancelled charge is given back.
  using clock = std::function<limits::instant()>;

  /// `executor` must run on one thread or be a strand; charges wait on it. `plan` is for identities that are charged
  /// without a plan of their own. Throws std::invalid_argument if there is no source.
  async_quota(asio::any_io_executor executor, std::shared_ptr<quota_source> source, limits::plan const& plan,
              clock c = &limits::now)
      : executor_{std::move(executor)}, source_{std::move(source)}, plan_{plan}, clock_{std::move(c)} {
    if (!source_) throw std::invalid_argument{"a quota needs a source"};
  }

  /// Charges under the plan given to the constructor. `identity` is the number of the caller's customer, from 1. Keep
  /// the numbers small, since the source keeps an account for each as long as it lives (`quota_source::account_of`).
  /// Throws std::bad_alloc when there is no memory for one.
  template <class Token = asio::use_awaitable_t<>>
  auto charge(std::uint64_t identity, limits::cost tokens, Token&& token = {}) {
    return charge(identity, plan_, tokens, std::forward<Token>(token));
  }
  /// Charges under the identity's own plan. It may change between calls; the used part of the quota stays used.
  template <class Token = asio::use_awaitable_t<>>
  auto charge(std::uint64_t identity, limits::plan const& plan, limits::cost tokens, Token&& token = {}) {
    payer who;
    who.kind = payer::kind::identity;
    who.account = &source_->account_of(identity, plan);
    who.plan = plan;
    auto const begin = [executor = executor_, source = source_, clock = clock_, who, tokens](auto handler) {
      using operation_of_handler = operation<decltype(handler)>;
      auto const op = std::make_shared<operation_of_handler>(std::move(handler), executor, source, clock, who);
      operation_of_handler::start(op, tokens);
    };
    return asio::async_initiate<Token, void(std::exception_ptr, limits::verdict)>(begin, token);
  }

 private:
  /// Shared by the source's work, the cancellation slot and the function posted to the handler's executor. `handler_`
  /// belongs to the handler's executor.
  template <class Handler>
  class operation : public std::enable_shared_from_this<operation<Handler>> {
   public:
    operation(Handler handler, asio::any_io_executor executor, std::shared_ptr<quota_source> source, clock c,
              payer const& who)
        : handler_{std::move(handler)},
          work_{asio::get_associated_executor(*handler_, executor)},
          executor_{std::move(executor)},
          source_{std::move(source)},
          clock_{std::move(c)},
          payer_{who} {}

    static void start(std::shared_ptr<operation> const& op, limits::cost tokens) {
      if (auto slot = asio::get_associated_cancellation_slot(*op->handler_); slot.is_connected()) {
        slot.assign([weak = std::weak_ptr(op)](asio::cancellation_type type) {
          if (type == asio::cancellation_type::none) return;
          if (auto const self = weak.lock()) self->cancel();
        });
      }
      auto work = detail::take(*op->source_, op->payer_, tokens, op->clock_());
      auto ended = [op](std::exception_ptr failure, limits::verdict const& got) {
        auto call = [op, failure, got] { op->finish(failure, got); };
        asio::post(op->work_.get_executor(), std::move(call));
      };
      asio::co_spawn(op->executor_, std::move(work), std::move(ended));
    }

   private:
    void finish(std::exception_ptr const& failure, limits::verdict const& got) {
      if (!handler_) return give_back(got);  // cancelled
      complete(failure, got);
    }

    /// Called through the cancellation slot, so it must not clear the slot.
    void cancel() {
      if (!handler_) return;
      auto const aborted = std::make_exception_ptr(boost::system::system_error{asio::error::operation_aborted});
      auto call = [self = this->shared_from_this(), handler = take_handler(), aborted]() mutable {
        std::move(handler)(aborted, limits::verdict{});
      };
      asio::post(work_.get_executor(), std::move(call));
    }

    void complete(std::exception_ptr const& failure, limits::verdict const& verdict) {
      asio::get_associated_cancellation_slot(*handler_).clear();
      auto handler = take_handler();
      work_.reset();
      std::move(handler)(failure, verdict);
    }

    Handler take_handler() {
      Handler handler = std::move(*handler_);
      handler_.reset();
      return handler;
    }

    void give_back(limits::verdict const& got) {
      work_.reset();
      if (!got.admitted()) return;
      auto work = detail::give_back(*source_, payer_, got, clock_());
      auto const ended = [self = this->shared_from_this()](std::exception_ptr const&) {};  // no caller waits for it
      asio::co_spawn(executor_, std::move(work), ended);
    }

    std::optional<Handler> handler_;
    asio::executor_work_guard<asio::associated_executor_t<Handler, asio::any_io_executor>> work_;
    asio::any_io_executor const executor_;
    std::shared_ptr<quota_source> const source_;
    clock const clock_;
    payer const payer_;
  };

  asio::any_io_executor executor_;
  std::shared_ptr<quota_source> source_;
  limits::plan plan_;
  clock clock_;
};

namespace detail {

inline asio::awaitable<limits::verdict> take(quota_source& source, payer who, limits::cost tokens,
                                             limits::instant now) {
  auto charging = source.charge(who, tokens, now);
  limits::verdict const got = co_await std::move(charging).wait();
  co_return got;
}

inline asio::awaitable<void> give_back(quota_source& source, payer who, limits::verdict charged, limits::instant now) {
  auto returning = source.refund(who, charged, now);
  co_await std::move(returning).wait();
}

}  // namespace detail

}  // namespace petstore::ports
