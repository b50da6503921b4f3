// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "floor_server.hpp"

namespace petstore::bench {

/// A floor on a free port, served by a thread of its own for as long as the object lives.
class served_floor {
 public:
  explicit served_floor(std::size_t answer_bytes) : server_(0, answer_bytes), port_(server_.port()) {}
  ~served_floor() { stopping_ = true; }

  std::uint16_t port() const { return port_; }

 private:
  void serve() {
    while (!stopping_) server_.serve_once(std::chrono::milliseconds(10));
  }

  floor_server server_;
  std::uint16_t port_;
  std::atomic<bool> stopping_ = false;
  std::jthread thread_{[this] { serve(); }};
};

}  // namespace petstore::bench
