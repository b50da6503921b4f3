// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/usage_collector.hpp"

#include <algorithm>
#include <exception>
#include <random>
#include <string>

namespace petstore::program {

boost::asio::awaitable<void> usage_collector::collect() {
  take();
  while (batch_ || !waiting_.empty()) {
    if (!batch_) batch_ = make_batch();
    auto sending = send();
    auto const sent = co_await std::move(sending);
    note(sent);
    if (!sent) co_return;
    batch_.reset();
  }
}

void usage_collector::take() {
  for (auto const& one : take_()) {
    auto& sum = waiting_[{one.key, one.day}];
    sum = {.key = one.key,
           .day = one.day,
           .admitted = sum.admitted + one.admitted,
           .refused = sum.refused + one.refused,
           .last_used = std::max(sum.last_used, one.last_used)};
  }
}

ports::usage_batch usage_collector::make_batch() {
  ports::usage_batch batch;
  std::random_device random;
  std::ranges::generate(batch.token, [&] { return static_cast<char>(random()); });
  batch.rows.reserve(waiting_.size());
  for (auto const& [at, row] : waiting_) batch.rows.push_back(row);
  waiting_.clear();
  return batch;
}

boost::asio::awaitable<result<void>> usage_collector::send() {
  try {
    auto adding = store_.add_usage(*batch_);
    auto done = co_await std::move(adding);
    co_return done;
  } catch (std::exception const& e) {
    co_return error{errc::internal, {}, e.what()};
  }
}

void usage_collector::note(result<void> const& sent) {
  bool const fails = !sent;
  if (std::exchange(is_failing_, fails) == fails) return;
  if (fails) {
    auto const& why = sent.error();
    std::string const cause = why.cause.empty() ? std::string{describe(why.code).message} : why.cause;
    log_(server::severity::warning, "usage_not_stored", cause + "; it is kept and tried again every minute");
  } else {
    log_(server::severity::info, "usage_stored", "the store takes the usage of keys again, and has all of it");
  }
}

}  // namespace petstore::program
