// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <concepts>
#include <type_traits>
#include <utility>
#include <variant>

namespace petstore::ports {

namespace asio = boost::asio;

/// A value that is ready, or the work that will produce it. A value from memory costs the caller no coroutine and no
/// allocation; anything else is an awaitable.
///
///     auto reading = store.read(record_kind::pet, id, json);
///     if (reading.is_ready()) {
///       use(reading.take());
///     } else {
///       auto const tag = co_await reading.work();
///       use(tag);
///     }
///
/// A function that returns an eventual may return a T, an error if T is a result, or an `asio::awaitable<T>` (the
/// result of a coroutine). It can be used once, by one of `take`, `work`, `then` and `wait`. If it is destroyed unused,
/// its work never begins. Other failures are exceptions: the function that returns the eventual throws them while it
/// makes the value; after that, awaiting the work does.
///
/// Thread safety: none; it is a value that one thread passes on. The work is awaited once, on the executor of the
/// awaiting coroutine. Objects that the function got by reference must live until then.
template <class T>
class [[nodiscard]] eventual {
 public:
  /// The value is ready.
  template <class Value>
  requires std::constructible_from<T, Value> eventual(Value&& value)
      : state_(std::in_place_index<0>, std::forward<Value>(value)) {}
  /// The value must be awaited. The work begins when it is awaited.
  eventual(asio::awaitable<T> work) : state_(std::in_place_index<1>, std::move(work)) {}

  /// Whether the value is ready; decides which of the next two functions may be called, once.
  [[nodiscard]] bool is_ready() const noexcept { return state_.index() == 0; }

  /// Returns the value. Only if it is ready, and only once.
  [[nodiscard]] T take() { return std::move(std::get<0>(state_)); }
  /// Returns the work that produces the value. Only if the value is not ready, and only once. Both throw
  /// std::bad_variant_access otherwise.
  asio::awaitable<T> work() { return std::move(std::get<1>(state_)); }

  /// Applies `use` to the value: now if it is ready, otherwise when the work has produced it. `use` is kept until then.
  template <class Use>
  eventual<std::invoke_result_t<Use, T>> then(Use use) && {
    if (is_ready()) return use(take());
    return wait_and(work(), std::move(use));
  }

  /// Returns an awaitable in both cases, for a coroutine that accepts the cost of a frame for a ready value.
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
