// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "admin/event_feed.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <exception>
#include <utility>

#include "petstore/asio/as_result.hpp"

namespace petstore::program {

namespace asio = boost::asio;

struct event_feed::state {
  state(asio::any_io_executor const& on, std::function<void()> r, std::function<std::string()> s, std::size_t max,
        std::chrono::milliseconds i)
      : executor{on},
        restart{std::move(r)},
        sample{std::move(s)},
        readers_max{max},
        interval{i},
        tick{on},
        published{on, asio::steady_timer::time_point::max()} {}

  asio::any_io_executor const executor;
  std::function<void()> const restart;
  std::function<std::string()> const sample;
  std::size_t const readers_max;
  std::chrono::milliseconds const interval;
  asio::steady_timer tick;
  asio::steady_timer published;  ///< never expires; cancelled when there is a new text, or when the feed closes
  std::string text;
  std::uint64_t number = 0;  ///< of the text
  std::size_t readers = 0;
  bool is_sampling = false;
  bool is_closed = false;
};

class event_feed::stream final : public server::body_stream {
 public:
  explicit stream(std::shared_ptr<state> of) : of_{std::move(of)}, seen_{of_->number} { ++of_->readers; }
  ~stream() override {
    if (--of_->readers == 0) of_->tick.cancel();
  }

  asio::awaitable<bool> next(std::string& part) override {
    while (of_->number == seen_ && !of_->is_closed) co_await of_->published.async_wait(as_result);
    if (of_->is_closed) co_return false;
    seen_ = of_->number;
    part.append("data: ").append(of_->text).append("\n\n");
    co_return true;
  }

 private:
  std::shared_ptr<state> const of_;
  std::uint64_t seen_;
};

event_feed::event_feed(asio::any_io_executor executor, std::function<void()> restart,
                       std::function<std::string()> sample, std::size_t readers_max, std::chrono::milliseconds interval)
    : state_{std::make_shared<state>(executor, std::move(restart), std::move(sample), readers_max, interval)} {}

event_feed::~event_feed() {
  close();
}

std::unique_ptr<server::body_stream> event_feed::read() {
  if (state_->is_closed || state_->readers == state_->readers_max) return nullptr;
  auto made = std::make_unique<stream>(state_);
  if (!std::exchange(state_->is_sampling, true)) {
    auto sampling = run(state_);
    asio::co_spawn(state_->executor, std::move(sampling),
                   [self = state_](std::exception_ptr const&) { self->is_sampling = false; });
  }
  return made;
}

void event_feed::close() {
  state_->is_closed = true;
  state_->tick.cancel();
  state_->published.cancel();
}

asio::awaitable<void> event_feed::run(std::shared_ptr<state> self) {
  try {
    self->restart();
  } catch (std::exception const&) {  // a lack of memory: the first text may be about a longer time
  }
  // Long enough for rates to mean something, short enough for a page to appear at once.
  self->tick.expires_after(self->interval / 4);
  co_await self->tick.async_wait(as_result);
  while (self->readers != 0 && !self->is_closed) {
    try {
      self->text = self->sample();
      ++self->number;
      self->published.cancel();
    } catch (std::exception const&) {  // a lack of memory: the next sample may succeed
    }
    self->tick.expires_after(self->interval);
    co_await self->tick.async_wait(as_result);
  }
}

}  // namespace petstore::program
