// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <optional>
#include <random>

#include "connection_group.hpp"

namespace petstore::storage::postgres {

/// Repeats a write that reads, decides, and writes only if nothing has changed meanwhile. The number of attempts is
/// limited. Of several concurrent writes one always succeeds, so more than one attempt is needed only when many change
/// the same record at once.
class contention {
 public:
  static constexpr unsigned attempts_max = 40;

  explicit contention(connection_group& l) : timer_(l.executor()), random_(std::random_device{}()) {}

  /// The error of the attempt's outcome for the caller; nullopt: it is done, or `must_try_again`.
  std::optional<error> check(write_outcome const&);
  bool must_try_again() const noexcept { return try_again_; }
  /// The pause before the next attempt: none at first, then longer and longer, partly random.
  asio::awaitable<void> pause();

 private:
  asio::steady_timer timer_;
  std::minstd_rand random_;
  unsigned attempts_ = 0;
  bool try_again_ = false;
};

}  // namespace petstore::storage::postgres
