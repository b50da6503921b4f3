// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/query.hpp>
#include <boost/system/error_code.hpp>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

namespace petstore {

/// What begins an asynchronous operation, with the executor of the operation: `begin(handler)`.
template <class Begin>
struct initiation {
  using executor_type = boost::asio::any_io_executor;  ///< as completion tokens look for it

  executor_type executor;  ///< for a handler that has none
  Begin begin;             ///< called with the handler

  /// The executor of the operation.
  executor_type get_executor() const noexcept { return executor; }
  /// Begins the operation.
  template <class Handler>
  void operator()(Handler&& handler) const {
    begin(std::forward<Handler>(handler));
  }
};
/// @cond
template <class Begin>
initiation(boost::asio::any_io_executor, Begin) -> initiation<Begin>;
/// @endcond

/// Whether outstanding work keeps what runs the executor's functions running. It is false for the executor of
/// use_future: what is posted to that starts threads of Asio's system context, so the executor of the operation is
/// used.
template <class Executor>
inline constexpr bool keeps_running =
    boost::asio::can_query_v<Executor const&, boost::asio::execution::outstanding_work_t::tracked_t>;

/// The completion of an asynchronous operation that has begun. It keeps the completion handler and work on its
/// associated executor, and calls the handler once: with the results, or earlier, when the operation is cancelled.
///
/// Only what `complete` and `abort` post uses the allocator of the handler. This object and what `post` takes do not,
/// since they may live longer: the work of an aborted operation goes on after the handler was called, and the
/// allocator's memory may be gone by then.
///
/// Thread safety: `post` and `complete` may be called once, on any thread; the rest on the handler's executor. Shared
/// by the operation's work, the cancellation slot and what is posted to the handler's executor.
template <class Handler, class... Results>
class pending_completion : public std::enable_shared_from_this<pending_completion<Handler, Results...>> {
 public:
  /// `executor` is used for a handler that has no associated executor, or that of a future.
  pending_completion(Handler handler, boost::asio::any_io_executor const& executor)
      : handler_{std::move(handler)},
        where_{boost::asio::get_associated_executor(*handler_, executor)},
        work_{pick_executor(where_, executor)} {}

  /// Calls `cancel(*this)` for each cancellation signal, until the handler is called. Without memory for that, the
  /// operation goes on as if it had not been cancelled.
  template <class Cancel>
  void on_cancellation(Cancel cancel) {
    auto slot = boost::asio::get_associated_cancellation_slot(*handler_);
    if (!slot.is_connected()) return;
    slot.assign([weak = this->weak_from_this(), cancel = std::move(cancel)](boost::asio::cancellation_type type) {
      auto const self = weak.lock();
      if (type == boost::asio::cancellation_type::none || !self || !self->is_awaited()) return;
      try {
        cancel(*self);
      } catch (std::bad_alloc const&) {
      }
    });
  }

  /// Whether the handler is still to be called with the results.
  bool is_awaited() const noexcept { return handler_.has_value() && !is_aborted_; }

  /// Runs `act` later on the handler's executor, which may be after the handler was called.
  template <class Act>
  void post(Act act) {
    if constexpr (keeps_running<associated_executor>)
      boost::asio::post(where_, std::move(act));
    else
      boost::asio::post(work_.get_executor(), boost::asio::bind_executor(where_, std::move(act)));
  }

  /// The operation has ended, and was not aborted: calls the handler later.
  void complete(boost::system::error_code failed, Results... results) {
    post_call([self = this->shared_from_this(), failed, ... got = std::move(results)]() mutable {
      self->finish(failed, std::move(got)...);
    });
  }

  /// The operation has ended: calls the handler, unless the operation was aborted, and returns whether it did. Called
  /// from a function given to `post`.
  bool finish(boost::system::error_code failed, Results... results) {
    work_.reset();
    if (!is_awaited()) return false;
    boost::asio::get_associated_cancellation_slot(*handler_).clear();
    take_handler()(failed, std::move(results)...);
    return true;
  }

  /// Calls the handler soon with operation_aborted, before the operation has ended. Returns false if there is no memory
  /// for that: then the operation goes on as if it had not been cancelled. Does not clear the cancellation slot, which
  /// may be another operation's by then.
  bool abort() {
    is_aborted_ = true;
    try {
      post_call([self = this->shared_from_this()] {
        self->take_handler()(boost::system::error_code{boost::asio::error::operation_aborted}, Results{}...);
      });
      return true;
    } catch (std::bad_alloc const&) {
      return is_aborted_ = false;
    }
  }

 private:
  /// Posts what calls the handler.
  template <class Act>
  void post_call(Act act) {
    post(boost::asio::bind_allocator(boost::asio::get_associated_allocator(*handler_), std::move(act)));
  }

  using associated_executor = boost::asio::associated_executor_t<Handler, boost::asio::any_io_executor>;
  using running_executor =
      std::conditional_t<keeps_running<associated_executor>, associated_executor, boost::asio::any_io_executor>;

  static running_executor const& pick_executor(associated_executor const& where,
                                               boost::asio::any_io_executor const& executor) noexcept {
    if constexpr (keeps_running<associated_executor>)
      return where;
    else
      return executor;
  }

  Handler take_handler() {
    Handler handler = std::move(*handler_);
    handler_.reset();
    return handler;
  }

  std::optional<Handler> handler_;  ///< until it is called
  bool is_aborted_ = false;
  associated_executor const where_;
  boost::asio::executor_work_guard<running_executor> work_;
};

/// Makes the completion of an operation that has begun.
template <class... Results, class Handler>
auto make_pending(Handler&& handler, boost::asio::any_io_executor const& executor) {
  using pending = pending_completion<std::decay_t<Handler>, Results...>;
  return std::make_shared<pending>(std::forward<Handler>(handler), executor);
}

}  // namespace petstore
