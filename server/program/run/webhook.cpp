// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/webhook.hpp"

#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <utility>

#include "petstore/asio/as_result.hpp"
#include "run/webhook_message.hpp"

namespace petstore::program {

namespace asio = boost::asio;
using server::severity;

webhook::webhook(asio::any_io_executor executor, send_function send, std::function<void()> cut, event_report log,
                 webhook_limits limits)
    : executor_{std::move(executor)},
      send_{std::move(send)},
      cut_{std::move(cut)},
      log_{std::move(log)},
      limits_{limits},
      next_{executor_},
      end_{executor_} {}

void webhook::offer(server::quota_threshold const& event) noexcept {
  if (waiting_.fetch_add(1, std::memory_order_relaxed) >= limits_.waiting_max) return drop();
  try {
    asio::post(executor_, [self = shared_from_this(), event] { self->add(event); });
  } catch (std::exception const&) {  // no memory
    drop();
  }
}

void webhook::drop() noexcept {
  waiting_.fetch_sub(1, std::memory_order_relaxed);
  dropped_.fetch_add(1, std::memory_order_relaxed);
  if (is_full_.exchange(true)) return;
  try {
    log_(severity::warning, "webhook_full",
         fmt::format("{} events wait to be sent; more are dropped and counted", limits_.waiting_max));
  } catch (std::exception const&) {  // no memory
  }
}

void webhook::add(server::quota_threshold const& event) {
  queue_.emplace(std::chrono::steady_clock::now(), delivery{event});
  send_due();
}

/// Begins the tries that are due, and sets the timer for the next one.
void webhook::send_due() {
  auto const now = std::chrono::steady_clock::now();
  while (!queue_.empty() && under_way_ < limits_.at_once_max && (is_stopping_ || queue_.begin()->first <= now)) {
    auto next = queue_.extract(queue_.begin());
    ++under_way_;
    auto trying = attempt(shared_from_this(), next.mapped());
    asio::co_spawn(executor_, std::move(trying), asio::detached);
  }
  if (queue_.empty() || under_way_ == limits_.at_once_max) return;
  next_.expires_at(queue_.begin()->first);
  next_.async_wait([self = weak_from_this()](boost::system::error_code cancelled) {
    auto const held = self.lock();
    if (held && !cancelled) held->send_due();
  });
}

asio::awaitable<void> webhook::attempt(std::shared_ptr<webhook> self, delivery one) {
  webhook_outcome outcome;
  try {
    auto sending = self->send_(body_of(one.event));
    outcome = co_await std::move(sending);
  } catch (std::exception const& failure) {
    outcome = {.cause = failure.what()};
  }
  self->note(one, outcome);
}

void webhook::note(delivery one, webhook_outcome const& outcome) {
  --under_way_;
  ++one.tries;
  if (outcome.is_delivered) {
    delivered_.fetch_add(1, std::memory_order_relaxed);
    if (std::exchange(is_failing_, false)) log_(severity::info, "webhook_answers_again", "events are delivered again");
    forget_one();
  } else {
    tries_failed_.fetch_add(1, std::memory_order_relaxed);
    bool const is_tried_again = outcome.may_try_again && !is_stopping_ && one.tries <= limits_.pauses.size();
    if (is_tried_again) {
      queue_.emplace(std::chrono::steady_clock::now() + limits_.pauses[one.tries - 1], one);
      if (!std::exchange(is_failing_, true))
        log_(severity::warning, "webhook_failed", outcome.cause + "; it is tried again");
    } else {
      give_up(one, outcome);
    }
  }
  send_due();
}

void webhook::give_up(delivery const& one, webhook_outcome const& outcome) {
  given_up_.fetch_add(1, std::memory_order_relaxed);
  if (!is_closed_)
    log_(severity::warning, "webhook_given_up",
         fmt::format("{} % of the quota of k{}: {}; tries: {}", one.event.percent, one.event.identity, outcome.cause,
                     one.tries));
  forget_one();
}

void webhook::forget_one() {
  auto const left = waiting_.fetch_sub(1, std::memory_order_relaxed) - 1;
  if (left <= limits_.waiting_max / 2) is_full_ = false;
  if (left == 0) end_.cancel();
}

void webhook::hurry() {
  is_stopping_ = true;
  next_.cancel();
  send_due();
}

bool webhook::is_done() const noexcept {
  return waiting_.load(std::memory_order_relaxed) == 0;
}

asio::awaitable<void> webhook::wait_for_all(time_point limit) {
  while (!is_done() && std::chrono::steady_clock::now() < limit) {
    end_.expires_at(limit);
    co_await end_.async_wait(as_result);
  }
}

asio::awaitable<void> webhook::finish(time_point limit) {
  hurry();
  co_await asio::post(executor_, asio::use_awaitable);  // what the threads have offered is in the queue now
  auto delivering = wait_for_all(limit);
  co_await std::move(delivering);
  if (is_done()) co_return;

  auto const given_up = given_up_.load(std::memory_order_relaxed);
  is_closed_ = true;
  for (auto const& [due, one] : std::exchange(queue_, {})) give_up(one, {});
  cut_();
  auto ending = wait_for_all(std::chrono::steady_clock::now() + limits_.cut_time_max);
  co_await std::move(ending);
  log_(severity::warning, "webhook_events_lost",
       fmt::format("{} events were not delivered before the server stopped", given_up_ - given_up + waiting_));
}

webhook_figures webhook::figures() const noexcept {
  return {.waiting = waiting_.load(std::memory_order_relaxed),
          .delivered = delivered_.load(std::memory_order_relaxed),
          .given_up = given_up_.load(std::memory_order_relaxed),
          .dropped = dropped_.load(std::memory_order_relaxed),
          .tries_failed = tries_failed_.load(std::memory_order_relaxed)};
}

}  // namespace petstore::program
