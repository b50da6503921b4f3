// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <optional>
#include <random>

#include "connection_group.hpp"

namespace petstore::storage::postgres {

/// A write that reads, decides and writes only if nothing has changed meanwhile, as often as it takes, but not for
/// ever. Of several that meet, one always gets through, so that it takes more than one attempt only where many change
/// one record at once.
class contention {
 public:
  static constexpr unsigned attempts_max = 40;

  explicit contention(connection_group& l) : timer_(l.executor()), random_(std::random_device{}()) {}

  /// What the attempt's outcome means for the caller; nullopt: it is done, or `must_try_again`.
  std::optional<error> judge(write_outcome const&);
  bool must_try_again() const noexcept { return try_again_; }
  /// Before the next attempt: nothing at first, then longer and longer, a part of it by lot.
  asio::awaitable<void> pause();

 private:
  asio::steady_timer timer_;
  std::minstd_rand random_;
  unsigned attempts_ = 0;
  bool try_again_ = false;
};

}  // namespace petstore::storage::postgres
