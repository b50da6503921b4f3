// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/usage_collector.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <iterator>
#include <random>
#include <string>

namespace petstore::program {

boost::asio::awaitable<void> usage_collector::collect() {
  try {
    auto working = take_and_send();
    co_await std::move(working);
  } catch (std::exception const& e) {  // no memory
    note(error{errc::internal, {}, e.what()});
  }
}

void usage_collector::tell_lost() const {
  auto const rows = waiting_.size() + (batch_ ? batch_->rows.size() : 0);
  if (rows == 0) return;
  log_(server::severity::error, "usage_lost",
       "the store has not taken the usage of " + std::to_string(rows) +
           " keys and days; their requests are not counted");
}

boost::asio::awaitable<void> usage_collector::take_and_send() {
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
  auto const end = std::next(waiting_.begin(), static_cast<std::ptrdiff_t>(std::min(rows_max, waiting_.size())));
  for (auto at = waiting_.begin(); at != end; ++at) batch.rows.push_back(at->second);
  waiting_.erase(waiting_.begin(), end);
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
