// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace petstore::server::http {

/// A pool of input buffers. A connection holds one only while it has something to read. The buffer used last is taken
/// first, since it is still in the cache. One thread.
class input_buffers {
 public:
  /// Enough for one usual request or a few pipelined ones.
  static constexpr std::size_t size = 4 * 1024;

  input_buffers() { free_.reserve(kept_max); }

  std::unique_ptr<char[]> take() {
    if (free_.empty()) return std::make_unique_for_overwrite<char[]>(size);
    auto b = std::move(free_.back());
    free_.pop_back();
    return b;
  }
  void give_back(std::unique_ptr<char[]> b) noexcept {
    if (free_.size() < kept_max) free_.push_back(std::move(b));
  }

 private:
  static constexpr std::size_t kept_max = 256;
  std::vector<std::unique_ptr<char[]>> free_;
};

}  // namespace petstore::server::http
