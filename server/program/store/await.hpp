// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <optional>
#include <utility>

#include "petstore/ports/eventual.hpp"

namespace petstore::program {

/// Runs an operation of a store to its end on this thread. Throws what it throws.
template <class T>
T await(boost::asio::awaitable<T> operation) {
  boost::asio::io_context context{1};
  std::optional<T> value;
  std::exception_ptr failure;
  auto const keep = [&](std::exception_ptr thrown, T result) {
    failure = thrown;
    if (!thrown) value.emplace(std::move(result));
  };
  boost::asio::co_spawn(context, std::move(operation), keep);
  context.run();
  if (failure) std::rethrow_exception(failure);
  return std::move(*value);
}

template <class T>
T await(ports::eventual<T> operation) {
  return await(std::move(operation).wait());
}

}  // namespace petstore::program
