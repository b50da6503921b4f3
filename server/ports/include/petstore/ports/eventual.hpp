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
/// coroutine and no allocation; what has to be waited for is an awaitable as always.
///
///     auto reading = store.read_pet(id, json);
///     auto const tag = reading.is_ready() ? reading.take() : co_await reading.work();
///
/// A store or a source of quotas returns either: a T, or an error where T is a result, or an `asio::awaitable<T>`
/// (what a coroutine returns). It is used up once, by one of `take`, `work`, `then` and `wait`; one that is dropped
/// unused has begun nothing that it would have to wait for. What fails otherwise is thrown: by the function that
/// returns it while the value is made, and where the work is awaited after that.
///
/// Thread safety: none; it is a value that one thread passes on. Work is awaited once, on whatever executor the
/// awaiting coroutine has, and what the function was given by reference lives until then.
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

  /// The value. Only where it is there, once.
  T take() { return std::move(std::get<0>(state_)); }
  /// The work that brings it, once. Only where it is not there: std::bad_variant_access else, as of `take`.
  asio::awaitable<T> work() { return std::move(std::get<1>(state_)); }

  /// What `use` makes of the value: now if it is there, else once it is. `use` is kept until then.
  template <class Use>
  eventual<std::invoke_result_t<Use, T>> then(Use use) && {
    if (is_ready()) return use(take());
    return wait_and(work(), std::move(use));
  }

  /// To be awaited whichever it is, by a coroutine that does not mind a frame of its own for a value that is there.
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
