// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/append.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include "petstore/limits/coarse_clock.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/ports/eventual.hpp"

namespace petstore::ports {

/// The shortest interval of `async_update_clock`. A shorter one would keep a thread busy.
inline constexpr std::chrono::microseconds clock_interval_min{100};

namespace detail {

/// The steps of `async_update_clock`.
struct clock_updates {
  std::unique_ptr<asio::steady_timer> timer;
  std::shared_ptr<limits::coarse_clock> clock;
  std::chrono::nanoseconds interval;
  std::function<limits::instant()> read;
  bool has_begun = false;

  template <class Self>
  void operator()(Self& self, boost::system::error_code failed = {}) {
    if (!std::exchange(has_begun, true)) {
      self.reset_cancellation_state(asio::enable_total_cancellation());
      boost::system::error_code const wrong = asio::error::invalid_argument;
      if (interval < clock_interval_min) return asio::post(asio::append(std::move(self), wrong));
    }
    if (self.cancelled() != asio::cancellation_type::none) failed = asio::error::operation_aborted;
    if (failed) return self.complete(failed);
    clock->update(read());
    timer->expires_after(interval);
    timer->async_wait(std::move(self));
  }
};

}  // namespace detail

/// Updates the clock every `interval`, by a timer of the executor, until the operation is cancelled. The first update
/// comes when the operation begins, the others on the handler's executor. `read` gives the time that the clock shows
/// next; it must not throw.
///
///     auto const clock = std::make_shared<limits::coarse_clock>();
///     ports::async_update_clock(executor, clock, 10ms, asio::bind_cancellation_slot(end.slot(), asio::detached));
///
/// @completion_signature `void(boost::system::error_code)`, never with success. Errors: operation_aborted; those of the
/// timer; invalid_argument for an interval below `clock_interval_min`, and then the clock is not updated. The handler
/// is called on its associated executor, by default the one given here, and never within the initiating function. It
/// takes any completion token, by default `use_awaitable`.
///
/// @cancellation All types. The clock is no longer updated.
///
/// @thread_safety One thread at a time updates a clock. So run one such operation for each, with a handler whose
/// executor runs one function at a time, and begin it there or before that executor runs. Any thread reads the clock.
///
/// @exception_safety Basic: throws std::bad_alloc when there is no memory to begin; then the handler is not called, and
/// the clock may have been updated once.
template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) Token = asio::use_awaitable_t<>>
auto async_update_clock(asio::any_io_executor const& executor, std::shared_ptr<limits::coarse_clock> clock,
                        std::chrono::nanoseconds interval, std::function<limits::instant()> read,
                        Token&& token = Token{}) {
  auto timer = std::make_unique<asio::steady_timer>(executor);
  asio::steady_timer& own = *timer;
  detail::clock_updates steps{std::move(timer), std::move(clock), interval, std::move(read)};
  return asio::async_compose<Token, void(boost::system::error_code)>(std::move(steps), token, own);
}
/// The same with the clocks of the machine.
template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) Token = asio::use_awaitable_t<>>
auto async_update_clock(asio::any_io_executor const& executor, std::shared_ptr<limits::coarse_clock> clock,
                        std::chrono::nanoseconds interval, Token&& token = Token{}) {
  return async_update_clock(executor, std::move(clock), interval, &limits::now, std::forward<Token>(token));
}

}  // namespace petstore::ports
