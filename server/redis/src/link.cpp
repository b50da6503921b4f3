// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "link.hpp"

#include <exception>
#include <utility>

#include "keep_going.hpp"
#include "petstore/asio/as_result.hpp"

namespace petstore::redis {
link::link(std::shared_ptr<dialer> calls, locator locate, std::weak_ptr<owner> whom)
    : dialer_{std::move(calls)},
      locate_{std::move(locate)},
      owner_{std::move(whom)},
      wait_{dialer_->executor()},
      backoff_{dialer_->limits().first_wait, dialer_->limits().longest_wait} {}

void link::start() {
  keep_going(dialer_->executor(), dialer_->limits().first_wait,
             [self = shared_from_this()] { return self->keep_up(self); });
}

asio::awaitable<void> link::keep_up(std::shared_ptr<link>) {
  while (!closed_) {
    try {
      co_await attempt();
    } catch (std::exception const& lack) {  // a lack of memory or threads, which may pass
      if (auto const lost = std::exchange(connection_, nullptr)) lost->close(lack.what());
      fail(lack.what());
    }
    if (closed_) break;
    if (looks_again_) continue;
    wait_.expires_after(backoff_.after_failure(dialer_->random()));
    co_await wait_.async_wait(as_result);
  }
}

/// Finds the server, connects to it, and runs until the connection ends.
asio::awaitable<void> link::attempt() {
  looks_again_ = false;
  auto looking = locate_();
  result<node> where = co_await std::move(looking);
  if (looks_again_) co_return;
  if (!where) co_return fail(to_string(where.error()));
  peer_ = *where;
  auto greeting = dialer_->greet(peer_);
  result<dialer::greeted> found = co_await std::move(greeting);
  if (closed_ || looks_again_) co_return;
  if (!found) co_return fail(to_string(found.error()));
  {
    auto const whom = owner_.lock();
    if (!whom) co_return;
    auto const objection = whom->check(*this, found->said);
    if (closed_) co_return;
    if (!objection.empty()) co_return fail(objection);
    auto to_me = [held = weak_from_this()](std::unique_ptr<call> one, result<reply> outcome) {
      if (auto const self = held.lock()) return self->answer(std::move(one), std::move(outcome));
      one->waiting->complete(failure{errc::closed, {}});
    };
    connection_ =
        std::make_shared<connection>(dialer_->executor(), std::move(found->line), dialer_->limits(), std::move(to_me));
    backoff_.succeeded();
    whom->on_up(*this);
  }
  auto const held = connection_;
  std::string const reason = co_await held->run();
  connection_.reset();
  if (auto const whom = owner_.lock(); whom && !closed_) whom->on_down(*this, reason);
}

void link::send(std::unique_ptr<call> one) {
  if (connection_) return connection_->send(std::move(one));
  answer(std::move(one), failure{errc::not_connected, {}});
}

void link::answer(std::unique_ptr<call> one, result<reply> outcome) {
  if (auto const whom = owner_.lock()) return whom->on_answer(*this, std::move(one), std::move(outcome));
  one->waiting->complete(std::move(outcome));
}

void link::fail(std::string const& reason) {
  if (auto const whom = owner_.lock(); whom && !closed_) whom->on_failed(*this, reason);
}

void link::look_again(std::string reason) {
  if (connection_) return connection_->retire(std::move(reason));
  looks_again_ = true;
  wait_.cancel();
}

void link::leave(std::string reason) {
  closed_ = true;
  if (connection_) connection_->retire(std::move(reason));
  wait_.cancel();
}

void link::close() {
  closed_ = true;
  if (connection_) connection_->close({}, errc::closed);
  wait_.cancel();
}

}  // namespace petstore::redis
