// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "connection.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <exception>
#include <new>
#include <utility>

#include "petstore/asio/as_result.hpp"

namespace petstore::redis {
namespace {

connection::time_point now() {
  return std::chrono::steady_clock::now();
}

}  // namespace

connection::connection(asio::any_io_executor executor, std::shared_ptr<channel> line, client_limits const& limits,
                       answer_function answer)
    : executor_{executor},
      channel_{std::move(line)},
      limits_{limits},
      answer_{std::move(answer)},
      pipeline_{{limits.calls_max, limits.bytes_max}},
      output_{executor},
      clock_{executor},
      received_{now()} {}

asio::awaitable<std::string> connection::run() {
  auto const self = shared_from_this();
  auto const lacks_memory = [self](std::exception_ptr const& lack) {
    if (lack) self->give_up();
  };
  try {
    auto writing = write_all(self);
    asio::co_spawn(executor_, std::move(writing), lacks_memory);
    auto timing = keep_time(self);
    asio::co_spawn(executor_, std::move(timing), lacks_memory);
    while (!closed_) {
      result<reply> value = co_await channel_->receive();
      if (value) {
        take(std::move(*value));
      } else {
        auto const& wrong = value.error();
        close(wrong.detail, wrong.code == errc::bad_reply ? errc::bad_reply : errc::connection_lost);
      }
    }
  } catch (std::exception const&) {
    give_up();
  }
  co_return reason_;
}

void connection::send(std::unique_ptr<call> one) {
  if (!is_open()) return answer_(std::move(one), failure{errc::not_connected, reason_});
  bool const was_idle = !pipeline_.has_output();
  auto const deadline = one->deadline;
  if (!takes(one)) return answer_(std::move(one), failure{errc::queue_full, {}});
  if (was_idle) output_.cancel();
  if (deadline < check_at_) clock_.cancel();
}

/// Adds a call to the pipeline. Returns false if there is no space in it, or no memory.
bool connection::takes(std::unique_ptr<call>& one) {
  try {
    return pipeline_.add(one);
  } catch (std::bad_alloc const&) {
    return false;
  }
}

/// Resumes in a handler of its own, after all calls of the same turn have been added, so that they are written
/// together.
asio::awaitable<void> connection::write_all(std::shared_ptr<connection>) {
  while (!closed_) {
    if (!pipeline_.has_output()) {
      output_.expires_at(time_point::max());
      co_await output_.async_wait(as_result);
      continue;
    }
    auto const bytes = pipeline_.take_output(now());
    result<void> const sent = co_await channel_->send(bytes);
    if (!sent) close(sent.error().detail);
  }
}

asio::awaitable<void> connection::keep_time(std::shared_ptr<connection>) {
  while (!closed_) {
    check_at_ = next_check();
    clock_.expires_at(check_at_);
    co_await clock_.async_wait(as_result);
    if (!closed_) check_time(now());
  }
}

/// Ends the connection if one of its three coroutines gets no memory. Without one of them it would take calls and
/// answer none. The next connection may find more memory.
void connection::give_up() noexcept {
  try {
    close("There is no memory.");
  } catch (std::exception const&) {  // calls that cannot be completed are destroyed
    channel_->close({});
  }
}

void connection::take(reply value) {
  received_ = now();
  auto done = pipeline_.on_reply(std::move(value));
  if (!done) return close("It sent a reply to nothing.");
  if (done->call) answer_(std::move(done->call), std::move(done->outcome));
  close_if_done();
}

void connection::check_time(time_point at) {
  for (auto& late : pipeline_.expire(at)) answer_(std::move(late.call), std::move(late.outcome));
  if (closed_) return;
  if (retired_until_ && at >= *retired_until_) return close(reason_);
  close_if_done();
  if (closed_) return;
  if (pipeline_.unanswered_since()) {
    if (at - last_sign() >= limits_.silence_max) close("It has been silent for too long.");
  } else if (at - received_ >= limits_.heartbeat && !pipeline_.has_output()) {
    pipeline_.add_heartbeat();
    output_.cancel();
  }
}

connection::time_point connection::next_check() const {
  auto next = pipeline_.unanswered_since() ? last_sign() + limits_.silence_max : received_ + limits_.heartbeat;
  // While calls wait to be written, no heartbeat is due.
  if (!pipeline_.unanswered_since() && pipeline_.has_output()) next = now() + limits_.heartbeat;
  if (auto const deadline = pipeline_.next_deadline()) next = std::min(next, *deadline);
  if (retired_until_) next = std::min(next, *retired_until_);
  return next;
}

connection::time_point connection::last_sign() const {
  return std::max(*pipeline_.unanswered_since(), received_);
}

void connection::close_if_done() {
  if (retired_until_ && pipeline_.live() == 0) close(reason_);
}

void connection::retire(std::string reason) {
  if (!is_open()) return;
  reason_ = std::move(reason);
  retired_until_ = now() + retirement;
  clock_.cancel();
  close_if_done();
}

void connection::close(std::string reason, errc sent) {
  if (std::exchange(closed_, true)) return;
  reason_ = std::move(reason);
  output_.cancel();
  clock_.cancel();
  channel_->close(reason_);
  for (auto& lost : pipeline_.end(sent, reason_)) answer_(std::move(lost.call), std::move(lost.outcome));
}

}  // namespace petstore::redis
