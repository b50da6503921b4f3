// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "access/pending_check.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/system/system_error.hpp>
#include <chrono>
#include <utility>

#include "petstore/asio/as_result.hpp"

namespace petstore::server {
namespace {

/// How often a waiting request looks by itself, in case there was no memory to resume it.
constexpr std::chrono::seconds look_again{1};

}  // namespace

pending_check::waiter::waiter(pending_check& check, asio::any_io_executor const& executor)
    : check_{check}, timer_{std::make_shared<asio::steady_timer>(executor)} {
  std::lock_guard const lock{check_.mutex_};
  if (!check_.is_over_) check_.waiting_.push_back(*this);
}

pending_check::waiter::~waiter() {
  std::lock_guard const lock{check_.mutex_};
  unlink();
}

bool pending_check::waiter::is_over() const {
  std::lock_guard const lock{check_.mutex_};
  return check_.is_over_;
}

void pending_check::waiter::resume() noexcept {
  try {
    asio::post(timer_->get_executor(), [timer = std::weak_ptr{timer_}] {
      if (auto const set = timer.lock()) set->cancel();
    });
  } catch (...) {
  }
}

void pending_check::end(outcome got) noexcept {
  std::lock_guard const lock{mutex_};
  outcome_ = std::move(got);
  is_over_ = true;
  for (waiter& one : waiting_) one.resume();
}

asio::awaitable<pending_check::outcome> pending_check::wait(std::shared_ptr<pending_check> self) {
  auto const executor = co_await asio::this_coro::executor;
  waiter me{*self, executor};
  while (!me.is_over()) {
    me.timer().expires_after(look_again);
    auto const [failed] = co_await me.timer().async_wait(as_result);
    if (failed && !me.is_over()) throw boost::system::system_error{failed};
  }
  co_return self->outcome_;
}

}  // namespace petstore::server
