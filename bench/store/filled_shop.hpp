// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "petstore/ports/store.hpp"

namespace petstore::bench {

/// Animals 1 to N: every third is pending, and every `category_count`-th is in the same category.
struct filled_shop {
  static constexpr std::int64_t animal_count = 100'000;
  static constexpr std::int64_t category_count = 10;
};

std::unique_ptr<ports::store> open_shop(std::filesystem::path const& directory);
void fill(ports::store&);

template <class T>
T await(boost::asio::awaitable<T> work) {
  boost::asio::io_context context{1};
  auto done = boost::asio::co_spawn(context, std::move(work), boost::asio::use_future);
  context.run();
  return done.get();
}

}  // namespace petstore::bench
