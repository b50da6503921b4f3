// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace petstore::redis {

/// Computes the wait before the next attempt. It doubles after each failure, up to a limit. Of that, a random part
/// between half and all is used, so that many clients that lost one server do not reconnect at the same time.
class backoff {
 public:
  using milliseconds = std::chrono::milliseconds;

  backoff(milliseconds first, milliseconds longest) : first_{first}, longest_{longest}, next_{first} {}

  /// `random` is a uniformly distributed number.
  milliseconds after_failure(std::uint32_t random) noexcept {
    auto const whole = std::min(next_, longest_);
    next_ = std::min(next_ * 2, longest_);
    auto const half = whole / 2;
    return half + milliseconds{static_cast<milliseconds::rep>(random) % ((whole - half).count() + 1)};
  }
  void succeeded() noexcept { next_ = first_; }

 private:
  milliseconds first_;
  milliseconds longest_;
  milliseconds next_;
};

}  // namespace petstore::redis
