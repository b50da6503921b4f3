// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "answers.hpp"

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <iterator>
#include <utility>

namespace petstore::storage::lmdb {
namespace {

namespace asio = boost::asio;

/// The handler that runs on the callers' executor.
class answers {
 public:
  answers(asio::any_io_executor executor, write_batch writes)
      : executor_(std::move(executor)), writes_(std::move(writes)) {}

  void operator()() {
    while (next_ != writes_.size()) {
      auto const w = std::move(writes_[next_++]);
      try {
        w->answer();
      } catch (...) {
        // The exception belongs to the caller and is passed on, as if it were alone. The other writes must still be
        // answered.
        if (next_ != writes_.size()) asio::post(executor_, std::move(*this));
        throw;
      }
    }
  }

 private:
  asio::any_io_executor executor_;
  write_batch writes_;
  std::size_t next_ = 0;
};

}  // namespace

void answer(write_batch batch) {
  auto rest = batch.begin();
  while (rest != batch.end()) {
    auto const executor = (*rest)->executor();
    auto const others =
        std::stable_partition(rest, batch.end(), [&](auto const& w) { return w->executor() == executor; });
    write_batch together(std::make_move_iterator(rest), std::make_move_iterator(others));
    // A caller that is answered may destroy its executor at once, while this thread still uses it.
    auto const until_posted = asio::make_work_guard(executor);
    asio::post(executor, answers(executor, std::move(together)));
    rest = others;
  }
}

}  // namespace petstore::storage::lmdb
