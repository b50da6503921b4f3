// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/error_code.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include "petstore/limits/coarse_clock.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/ports/eventual.hpp"

namespace petstore::ports {

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
    if (!std::exchange(has_begun, true)) self.reset_cancellation_state(asio::enable_total_cancellation());
    if (self.cancelled() != asio::cancellation_type::none) failed = asio::error::operation_aborted;
    if (failed) return self.complete(failed);
    clock->update(read());
    timer->expires_after(interval);
    timer->async_wait(std::move(self));
  }
};

}  // namespace detail

/// Updates the clock every `interval`, by a timer of the executor, until the operation is cancelled. The first update
/// comes within the initiating function, the others on the handler's executor.
///
///     auto const clock = std::make_shared<limits::coarse_clock>();
///     ports::async_update_clock(executor, clock, 10ms, asio::bind_cancellation_slot(end.slot(), asio::detached));
///
/// Completion signature: void(boost::system::error_code), never with success. Errors: operation_aborted, and those of
/// the timer. The handler is called on its associated executor, by default the one given here. Per-operation
/// cancellation: all types. It takes any completion token. `read` gives the time that the clock shows next; it must not
/// throw.
template <BOOST_ASIO_COMPLETION_TOKEN_FOR(void(boost::system::error_code)) Token>
auto async_update_clock(asio::any_io_executor const& executor, std::shared_ptr<limits::coarse_clock> clock,
                        std::chrono::nanoseconds interval, Token&& token,
                        std::function<limits::instant()> read = &limits::now) {
  auto timer = std::make_unique<asio::steady_timer>(executor);
  asio::steady_timer& own = *timer;
  detail::clock_updates steps{std::move(timer), std::move(clock), interval, std::move(read)};
  return asio::async_compose<Token, void(boost::system::error_code)>(std::move(steps), token, own);
}

}  // namespace petstore::ports
