// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <exception>
#include <utility>

#include "petstore/ports/eventual.hpp"

namespace petstore::server {

/// What is left to wait for. Nothing, when it is not valid().
using remainder = boost::asio::awaitable<void>;

namespace detail {

template <class T, class Use, class Fail>
remainder attempt_later(boost::asio::awaitable<T> work, Use use, Fail fail) {
  try {
    T value = co_await std::move(work);
    use(std::move(value));
  } catch (std::exception const& e) {
    fail(e);
  }
}

}  // namespace detail

/// Asks (`ask` returns an eventual), then hands the value to `use`, or what was thrown on the way to `fail`: at once
/// when the value is there, else within what is returned.
template <class Ask, class Use, class Fail>
remainder attempt(Ask ask, Use use, Fail fail) {
  try {
    auto asked = ask();
    if (!asked.is_ready()) return detail::attempt_later(asked.work(), std::move(use), std::move(fail));
    use(asked.take());
  } catch (std::exception const& e) {
    fail(e);
  }
  return {};
}

}  // namespace petstore::server
