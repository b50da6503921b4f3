// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/use_awaitable.hpp>

namespace petstore {

namespace detail {

template <class Executor>
struct default_token_of {
  using type = boost::asio::use_awaitable_t<>;
};
template <class Executor>
requires requires {
  typename Executor::default_completion_token_type;
}
struct default_token_of<Executor> {
  using type = typename Executor::default_completion_token_type;
};

}  // namespace detail

/// The completion token of operations that are called without one: that of the executor, which has one after
/// `as_default_on_t`, or use_awaitable.
template <class Executor>
using default_token = typename detail::default_token_of<Executor>::type;

}  // namespace petstore
