// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/system_executor.hpp>
#include <boost/asio/thread_pool.hpp>
#include <concepts>
#include <type_traits>
#include <utility>

namespace petstore {

namespace detail {

template <class Executor>
inline constexpr bool runs_on_many_threads = std::is_same_v<Executor, boost::asio::thread_pool::executor_type>;
template <class Blocking, class Relationship, class Allocator>
inline constexpr bool runs_on_many_threads<boost::asio::basic_system_executor<Blocking, Relationship, Allocator>> =
    true;

}  // namespace detail

/// A parameter for an executor that runs one function at a time: that of an io_context which one thread runs, or a
/// strand. Those of an asio::thread_pool and of the system do not compile, a strand over them does. How many threads
/// run an io_context, or what is in an any_io_executor, the compiler does not see. A value; one thread at a time.
template <class Executor = boost::asio::any_io_executor>
class serial_executor {
 public:
  serial_executor() = default;  ///< an empty executor
  /// Takes any executor that converts.
  template <std::convertible_to<Executor> Given>
  requires(!std::is_same_v<std::remove_cvref_t<Given>, serial_executor>) serial_executor(Given&& given)
      : executor_{std::forward<Given>(given)} {
    static_assert(!detail::runs_on_many_threads<std::remove_cvref_t<Given>>,
                  "this executor runs functions on several threads at the same time: pass a strand over it, as "
                  "asio::make_strand makes one");
  }

  /// The executor.
  Executor const& get() const noexcept { return executor_; }

 private:
  Executor executor_;
};

}  // namespace petstore
