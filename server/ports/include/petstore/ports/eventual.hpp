// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <concepts>
#include <type_traits>
#include <utility>
#include <variant>

namespace petstore::ports {

namespace asio = boost::asio;

/// A value that is there, or the work that will bring it. What a port can answer from memory costs its caller no
/// coroutine and no allocation; what has to be waited for is an awaitable as always. Used up once, as one or the other.
template <class T>
class [[nodiscard]] eventual {
 public:
  /// The value is there.
  template <class Value>
  requires std::constructible_from<T, Value> eventual(Value&& value)
      : state_(std::in_place_index<0>, std::forward<Value>(value)) {}
  /// It has to be waited for. The work begins when it is awaited.
  eventual(asio::awaitable<T> work) : state_(std::in_place_index<1>, std::move(work)) {}

  /// Decides which of the two below may be called, once.
  bool is_ready() const noexcept { return state_.index() == 0; }

  /// The value. Only where it is there.
  T take() { return std::move(std::get<0>(state_)); }
  /// The work that brings it. Only where it is not there.
  asio::awaitable<T> work() { return std::move(std::get<1>(state_)); }

  /// What `use` makes of the value: now if it is there, else once it is. `use` is kept until then.
  template <class Use>
  eventual<std::invoke_result_t<Use, T>> then(Use use) && {
    if (is_ready()) return use(take());
    return wait_and(work(), std::move(use));
  }

  /// For a coroutine that does not mind the frame.
  asio::awaitable<T> wait() && {
    if (!is_ready()) return work();
    return bring(take());
  }

 private:
  template <class Use>
  static asio::awaitable<std::invoke_result_t<Use, T>> wait_and(asio::awaitable<T> work, Use use) {
    T value = co_await std::move(work);
    co_return use(std::move(value));
  }
  static asio::awaitable<T> bring(T value) { co_return value; }

  std::variant<T, asio::awaitable<T>> state_;
};

}  // namespace petstore::ports
