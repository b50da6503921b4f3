// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <string_view>
#include <tuple>

#include "support/time_limit.hpp"

namespace petstore::tests {

namespace asio = boost::asio;

/// Runs the contexts by hand, on this thread, until something is so.
template <class Fact, class... Contexts>
void run_until(Fact is_so, Contexts&... contexts) {
  auto const end = std::chrono::steady_clock::now() + time_limit;
  while (!is_so()) {
    ((contexts.restart(), contexts.run_for(std::chrono::milliseconds{1})), ...);
    BOOST_REQUIRE(std::chrono::steady_clock::now() < end);
  }
}

/// Counts the memory that an operation takes and does not give back.
template <class T>
struct counting_allocator {
  using value_type = T;
  std::ptrdiff_t* in_use;
  std::size_t* taken;

  counting_allocator(std::ptrdiff_t& now, std::size_t& ever) : in_use{&now}, taken{&ever} {}
  template <class U>
  counting_allocator(counting_allocator<U> const& other) : in_use{other.in_use}, taken{other.taken} {}

  T* allocate(std::size_t n) {
    ++*in_use;
    ++*taken;
    return std::allocator<T>{}.allocate(n);
  }
  void deallocate(T* memory, std::size_t n) {
    --*in_use;
    std::allocator<T>{}.deallocate(memory, n);
  }
  template <class U>
  bool operator==(counting_allocator<U> const& other) const noexcept {
    return in_use == other.in_use;
  }
};

/// What an operation takes a bound allocator's memory for: to call the handler, or for nothing, where its work may go
/// on after that call.
enum class allocator_use { to_call, none };

/// Begins an operation with every kind of completion token, and checks that it completes once, with the expected code,
/// later, and where the token says. `begin(token)` begins an operation on `context`. `Results` are what its completion
/// signature has after the error code.
template <class... Results>
class every_token {
 public:
  explicit every_token(asio::io_context& context, boost::system::error_code expected = {})
      : context_{context}, expected_{expected} {}

  template <class Begin>
  void check(Begin begin, allocator_use use = allocator_use::to_call) {
    using error_code = boost::system::error_code;

    calls("a callback that can only be moved", [&](auto done) {
      begin([done, only_moves = std::make_unique<int>(1)](error_code failed, Results const&...) { done(failed); });
    });
    calls("a handler that the caller keeps", [&](auto done) {
      std::function<void(error_code, Results const&...)> handler = [done](error_code failed, Results const&...) {
        done(failed);
      };
      begin(handler);
      BOOST_TEST(static_cast<bool>(handler));
    });
    calls("deferred", [&](auto done) {
      auto operation = begin(asio::deferred);
      std::move(operation)([done](error_code failed, Results const&...) { done(failed); });
    });
    calls("bind_cancellation_slot", [&](auto done) {
      begin(
          asio::bind_cancellation_slot(signal_.slot(), [done](error_code failed, Results const&...) { done(failed); }));
    });
    signal_.emit(asio::cancellation_type::all);  // nothing listens any more

    awaits("use_awaitable", [&]() -> asio::awaitable<void> { co_await begin(asio::use_awaitable); });
    awaits("deferred in a coroutine", [&]() -> asio::awaitable<void> { co_await begin(asio::deferred); });
    awaits("as_tuple", [&]() -> asio::awaitable<void> {
      constexpr auto token = asio::as_tuple(asio::use_awaitable);
      std::tuple<error_code, Results...> const all = co_await begin(token);
      throw_if(std::get<0>(all));
    });
    awaits("redirect_error", [&]() -> asio::awaitable<void> {
      error_code failed = asio::error::fault;
      auto redirected = begin(asio::redirect_error(asio::use_awaitable, failed));
      co_await std::move(redirected);
      throw_if(failed);
    });

    BOOST_TEST_CONTEXT("use_future") {
      auto future = begin(asio::use_future);
      run_until([&] { return future.wait_for(std::chrono::seconds{0}) == std::future_status::ready; }, context_);
      BOOST_TEST(code_of([&] { future.get(); }) == expected_);
    }
    begin(asio::detached);
    check_executor(begin);
    check_allocator(begin, use);
  }

 private:
  /// `begin(done)` begins the operation with a handler that calls `done`.
  template <class Begin>
  void calls(std::string_view token, Begin begin) {
    BOOST_TEST_CONTEXT(token) {
      int count = 0;
      begin([&](boost::system::error_code failed) {
        ++count;
        BOOST_TEST(failed == expected_);
      });
      BOOST_TEST(count == 0);  // never within the initiating function
      run_until([&] { return count != 0; }, context_);
      BOOST_TEST(count == 1);
    }
  }

  void awaits(std::string_view token, std::function<asio::awaitable<void>()> work) {
    BOOST_TEST_CONTEXT(token) {
      bool is_over = false;
      asio::co_spawn(context_, work(), [&](std::exception_ptr const& thrown) {
        BOOST_TEST(code_of([&] {
                     if (thrown) std::rethrow_exception(thrown);
                   }) == expected_);
        is_over = true;
      });
      run_until([&] { return is_over; }, context_);
    }
  }

  template <class Begin>
  void check_executor(Begin begin) {
    BOOST_TEST_CONTEXT("bind_executor") {
      asio::io_context other{1};
      int count = 0;
      begin(asio::bind_executor(other, [&](boost::system::error_code failed, Results const&...) {
        BOOST_TEST(failed == expected_);
        BOOST_TEST(other.get_executor().running_in_this_thread());
        ++count;
      }));
      run_until([&] { return count != 0; }, context_, other);
      BOOST_TEST(count == 1);
    }
  }

  template <class Begin>
  void check_allocator(Begin begin, allocator_use use) {
    BOOST_TEST_CONTEXT("bind_allocator") {
      std::ptrdiff_t in_use = 0;
      std::size_t taken = 0;
      bool is_over = false;
      auto const handler = [&](boost::system::error_code failed, Results const&...) {
        BOOST_TEST(failed == expected_);
        BOOST_TEST(in_use == 0);
        is_over = true;
      };
      // Asio's any_io_executor takes no allocator, so the handler has an executor of its own.
      begin(asio::bind_executor(context_, asio::bind_allocator(counting_allocator<void*>{in_use, taken}, handler)));
      run_until([&] { return is_over; }, context_);
      BOOST_TEST((taken != 0u) == (use == allocator_use::to_call));
    }
  }

  static void throw_if(boost::system::error_code failed) {
    if (failed) throw boost::system::system_error{failed};
  }
  template <class Act>
  static boost::system::error_code code_of(Act act) {
    try {
      act();
    } catch (boost::system::system_error const& e) {
      return e.code();
    }
    return {};
  }

  asio::io_context& context_;
  boost::system::error_code const expected_;
  asio::cancellation_signal signal_;
};

}  // namespace petstore::tests
