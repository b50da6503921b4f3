// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <barrier>
#include <thread>
#include <vector>

namespace petstore::tests {

/// Runs work(number) on `count` threads, which begin at the same moment, and waits for their end.
void on_threads(int count, auto const& work) {
  std::barrier start(count);
  std::vector<std::jthread> threads;
  for (int number = 0; number < count; ++number)
    threads.emplace_back([&, number] {
      start.arrive_and_wait();
      work(number);
    });
}

}  // namespace petstore::tests
