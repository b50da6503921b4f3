// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <utility>

#include "petstore/ports/eventual.hpp"

namespace petstore::server {

namespace asio = boost::asio;

/// The work on one request: a coroutine that starts at once and is suspended only if a value that it awaits is not
/// ready. A read from memory and every refusal run to the end like plain code; the rest of any other work is an
/// awaitable of Asio.
///
///     request_task serve(exchange& x) {
///       auto charging = quotas.charge(x.caller.payer, x.now);
///       x.verdict = co_await charging;
///       …
///     }
///     asio::awaitable<void> left = serve(x).rest();
///
/// It awaits a `ports::eventual`. The memory of a frame is reused for the next request of the same thread.
class request_task {
 public:
  class promise_type;

  request_task(request_task&& other) noexcept : frame_{std::exchange(other.frame_, nullptr)} {}
  request_task& operator=(request_task&&) = delete;
  ~request_task() {
    if (frame_) frame_.destroy();
  }

  /// The rest of the work; not valid() when the work is done. An exception of the coroutine is thrown by this function,
  /// or when the rest is awaited.
  asio::awaitable<void> rest() &&;

 private:
  using frame = std::coroutine_handle<promise_type>;

  explicit request_task(frame f) noexcept : frame_{f} {}
  static asio::awaitable<void> finish(request_task);

  frame frame_;
};

class request_task::promise_type {
 public:
  request_task get_return_object() noexcept { return request_task{frame::from_promise(*this)}; }
  std::suspend_never initial_suspend() const noexcept { return {}; }
  std::suspend_always final_suspend() const noexcept { return {}; }
  void return_void() const noexcept {}
  void unhandled_exception() noexcept { thrown_ = std::current_exception(); }

  /// It takes a named object, which outlives the wait: g++ 12 destroys some temporaries of such an expression twice.
  template <class T>
  auto await_transform(ports::eventual<T>& asked) noexcept {
    return waiting<T>{*this, asked};
  }

  static void* operator new(std::size_t size);
  static void operator delete(void* frame, std::size_t size) noexcept;

 private:
  friend class request_task;

  /// Resumes the coroutine at once, or when the work has produced the value.
  template <class T>
  struct waiting {
    promise_type& promise;
    ports::eventual<T>& asked;

    bool await_ready() const noexcept { return asked.is_ready(); }
    void await_suspend(std::coroutine_handle<>) { promise.awaited_ = bring(asked); }
    T await_resume() {
      if (!asked.is_ready()) promise.rethrow();
      return asked.take();
    }
  };
  template <class T>
  static asio::awaitable<void> bring(ports::eventual<T>& asked) {
    auto work = asked.work();
    asked = co_await std::move(work);
  }
  void rethrow() {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }

  asio::awaitable<void> awaited_;
  std::exception_ptr thrown_;  ///< from what it awaits, or its own
};

}  // namespace petstore::server
