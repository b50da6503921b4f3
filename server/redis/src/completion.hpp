// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <utility>

#include "call.hpp"

namespace petstore::redis {

namespace asio = boost::asio;

/// An Asio handler that waits for a call. It is always posted to its own executor, because the code that completes a
/// call may be in the middle of other work. Until then it counts as outstanding work of that executor.
template <class Handler>
class waiting_handler final : public completion {
 public:
  explicit waiting_handler(Handler handler)
      : handler_{std::move(handler)}, work_{asio::make_work_guard(asio::get_associated_executor(handler_))} {}

  void complete(result<reply> outcome) override {
    asio::post(work_.get_executor(), [handler = std::move(handler_), outcome = std::move(outcome)]() mutable {
      std::move(handler)(std::move(outcome));
    });
  }

 private:
  Handler handler_;
  asio::executor_work_guard<asio::associated_executor_t<Handler>> work_;
};

/// Awaits a call. `begin` gets the call with its completion set.
template <class Begin>
asio::awaitable<result<reply>> await_call(std::unique_ptr<call> one, Begin begin) {
  auto initiate = [](auto handler, std::unique_ptr<call> started, Begin run) {
    started->waiting = std::make_unique<waiting_handler<decltype(handler)>>(std::move(handler));
    run(std::move(started));
  };
  return asio::async_initiate<asio::use_awaitable_t<> const, void(result<reply>)>(
      std::move(initiate), asio::use_awaitable, std::move(one), std::move(begin));
}

}  // namespace petstore::redis
