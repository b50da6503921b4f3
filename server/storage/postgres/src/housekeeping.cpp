// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "housekeeping.hpp"

#include "petstore/asio/as_result.hpp"

namespace petstore::storage::postgres {
namespace {

/// PostgreSQL reports the number of rows only as text.
bool may_have_more(reply const& r) {
  auto const* const done = std::get_if<rows>(&r);
  return done && done->affected() == housekeeping::rows_at_a_time;
}

}  // namespace

asio::awaitable<void> housekeeping::run() {
  while (!stopped_) {
    timer_.expires_after(interval);
    co_await timer_.async_wait(as_result);
    if (stopped_) co_return;
    co_await forget(statement::forget_answers);
    co_await forget(statement::forget_outcomes);
    co_await forget(statement::forget_usage);
  }
}

void housekeeping::stop() {
  stopped_ = true;
  timer_.cancel();
}

asio::awaitable<void> housekeeping::forget(statement s) {
  for (bool more = true; more && !stopped_;) {
    auto asking = group_.read(s, parameters::of(rows_at_a_time));
    reply const done = co_await std::move(asking);
    more = may_have_more(done);
  }
}

}  // namespace petstore::storage::postgres
