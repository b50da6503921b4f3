// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/execution/blocking.hpp>
#include <boost/asio/execution/relationship.hpp>
#include <boost/asio/system_executor.hpp>
#include <boost/asio/thread_pool.hpp>
#include <concepts>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace petstore {

namespace detail {

template <class Executor>
inline constexpr bool runs_on_many_threads = false;
template <class Allocator, unsigned Bits>
inline constexpr bool runs_on_many_threads<boost::asio::thread_pool::basic_executor_type<Allocator, Bits>> = true;
template <class Blocking, class Relationship, class Allocator>
inline constexpr bool runs_on_many_threads<boost::asio::basic_system_executor<Blocking, Relationship, Allocator>> =
    true;

template <class... Kinds>
bool is_one_of(boost::asio::any_io_executor const& executor) noexcept {
  return (executor.target<Kinds>() || ...);
}

/// Every executor of a thread pool whose allocator is the default one; properties are bits of its type.
template <unsigned... Bits>
bool is_of_thread_pool(boost::asio::any_io_executor const& executor,
                       std::integer_sequence<unsigned, Bits...>) noexcept {
  return is_one_of<boost::asio::thread_pool::basic_executor_type<std::allocator<void>, Bits>...>(executor);
}

template <class Blocking>
bool is_of_system(boost::asio::any_io_executor const& executor) noexcept {
  using relationship = boost::asio::execution::relationship_t;
  using allocator = std::allocator<void>;
  return is_one_of<boost::asio::basic_system_executor<Blocking, relationship::fork_t, allocator>,
                   boost::asio::basic_system_executor<Blocking, relationship::continuation_t, allocator>>(executor);
}

/// What the compiler does not see in an any_io_executor.
inline bool has_many_threads(boost::asio::any_io_executor const& executor) noexcept {
  using blocking = boost::asio::execution::blocking_t;
  return is_of_thread_pool(executor, std::make_integer_sequence<unsigned, 16>{}) ||
         is_of_system<blocking::possibly_t>(executor) || is_of_system<blocking::always_t>(executor) ||
         is_of_system<blocking::never_t>(executor);
}

}  // namespace detail

/// A parameter for an executor that runs one function at a time: that of an io_context which one thread runs, or a
/// strand. Those of an asio::thread_pool and of the system do not compile; in an any_io_executor they throw
/// std::invalid_argument, unless they have an allocator of their own. Pass a strand over them. How many threads
/// run an io_context cannot be seen. A value; one thread at a time.
template <class Executor = boost::asio::any_io_executor>
class serial_executor {
 public:
  serial_executor() = default;  ///< an empty executor
  /// Takes any executor that converts. Throws std::invalid_argument.
  template <std::convertible_to<Executor> Given>
  requires(!std::is_same_v<std::remove_cvref_t<Given>, serial_executor>) serial_executor(Given&& given)
      : executor_{std::forward<Given>(given)} {
    static_assert(!detail::runs_on_many_threads<std::remove_cvref_t<Given>>,
                  "this executor runs functions on several threads at the same time: pass a strand over it, as "
                  "asio::make_strand makes one");
    if constexpr (std::derived_from<Executor, boost::asio::any_io_executor>) {
      if (detail::has_many_threads(executor_))
        throw std::invalid_argument{"an executor runs functions on several threads at the same time: pass a strand"};
    }
  }

  /// The executor.
  Executor const& get() const noexcept { return executor_; }

 private:
  Executor executor_;
};

}  // namespace petstore
