// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "contention.hpp"

#include <algorithm>

#include "faults.hpp"
#include "petstore/asio/as_result.hpp"

namespace petstore::storage::postgres {
namespace {

constexpr unsigned attempts_without_pause = 3;
constexpr int longest_pause_ms = 64;

}  // namespace

std::optional<error> contention::check(write_outcome const& outcome) {
  ++attempts_;
  try_again_ = false;
  switch (outcome.what) {
    case write_outcome::kind::done: return std::nullopt;
    case write_outcome::kind::not_done: return unavailable(outcome.cause);
    case write_outcome::kind::unknown: return internal(outcome.cause);
    case write_outcome::kind::refused:
      if (!is_worth_another_try(outcome.fault)) return to_error(outcome.fault);
      break;
    case write_outcome::kind::overtaken: break;
  }
  if (attempts_ == attempts_max)
    return unavailable("others changed the same record " + std::to_string(attempts_) + " times meanwhile");
  try_again_ = true;
  return std::nullopt;
}

asio::awaitable<void> contention::pause() {
  if (attempts_ < attempts_without_pause) co_return;
  int const most = std::min(longest_pause_ms, 1 << std::min(attempts_ - attempts_without_pause, 10u));
  std::uniform_int_distribution<int> milliseconds(0, most);
  timer_.expires_after(std::chrono::milliseconds{milliseconds(random_)});
  co_await timer_.async_wait(as_result);
}

}  // namespace petstore::storage::postgres
