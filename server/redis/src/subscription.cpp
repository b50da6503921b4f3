// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "subscription.hpp"

#include <boost/asio/co_spawn.hpp>
#include <exception>
#include <utility>

#include "keep_going.hpp"
#include "petstore/asio/as_result.hpp"
#include "wire.hpp"

namespace petstore::redis {
namespace {

channel::time_point now() {
  return std::chrono::steady_clock::now();
}

}  // namespace

subscription::subscription(std::shared_ptr<dialer> calls, opener open, std::string pattern, listener whom)
    : dialer_{std::move(calls)},
      open_{std::move(open)},
      pattern_{std::move(pattern)},
      listener_{std::move(whom)},
      wait_{dialer_->executor()},
      heartbeat_{dialer_->executor()},
      backoff_{dialer_->limits().first_wait, dialer_->limits().longest_wait} {}

void subscription::start() {
  keep_going(dialer_->executor(), dialer_->limits().first_wait,
             [self = shared_from_this()] { return self->keep_listening(self); });
}

asio::awaitable<void> subscription::keep_listening(std::shared_ptr<subscription>) {
  while (!closed_) {
    std::string reason;
    try {
      reason = co_await listen();
    } catch (std::exception const& lack) {  // a lack of memory or threads, which may pass
      reason = lack.what();
    }
    if (line_) std::exchange(line_, nullptr)->close(reason);
    heartbeat_.cancel();
    if (std::exchange(is_listening_, false)) tell({subscription_event::kind::lost, {}, reason});
    if (closed_) break;
    wait_.expires_after(backoff_.after_failure(dialer_->random()));
    co_await wait_.async_wait(as_result);
  }
}

/// Listens until the connection ends, and returns the reason.
asio::awaitable<std::string> subscription::listen() {
  auto opening = open_();
  result<std::shared_ptr<channel>> line = co_await std::move(opening);
  if (!line) co_return to_string(line.error());
  if (closed_) co_return std::string{};
  line_ = *line;
  auto asking = line_->ask({"PSUBSCRIBE", pattern_}, dialer_->deadline());
  result<reply> const answer = co_await std::move(asking);
  if (!answer) co_return to_string(answer.error());
  if (answer->is_error()) {
    tell({subscription_event::kind::refused, {}, answer->text});
    co_return answer->text;
  }
  if (closed_) co_return std::string{};
  backoff_.succeeded();
  is_listening_ = true;
  heard_ = now();
  auto beating = keep_alive(shared_from_this(), *line);
  auto lacks_memory = [line = *line](std::exception_ptr const& lack) {
    if (lack) line->close({});  // without heartbeats, nobody would notice a dead server
  };
  asio::co_spawn(dialer_->executor(), std::move(beating), std::move(lacks_memory));
  tell({subscription_event::kind::listening, {}, {}});
  while (!closed_) {
    result<reply> value = co_await (*line)->receive();
    if (!value) co_return to_string(value.error());
    heard_ = now();
    hear(std::move(*value));
  }
  co_return std::string{};
}

/// Sends heartbeats, because a dead server is as silent as one that has no messages.
asio::awaitable<void> subscription::keep_alive(std::shared_ptr<subscription>, std::shared_ptr<channel> line) {
  std::string ping;
  append_command(ping, {"PING"});
  while (!closed_ && line == line_) {
    heartbeat_.expires_after(dialer_->limits().heartbeat);
    co_await heartbeat_.async_wait(as_result);
    if (closed_ || line != line_) break;
    if (now() - heard_ >= dialer_->limits().silence_max) {
      line->close("It has been silent for too long.");
      break;
    }
    result<void> const sent = co_await line->send(ping);
    if (!sent) break;
  }
}

/// Messages come as `pmessage, pattern, channel, payload`; anything else is an answer to our commands.
void subscription::hear(reply value) {
  auto& parts = value.elements;
  if (parts.size() != 4 || parts[0].text != "pmessage") return;
  tell({subscription_event::kind::message, std::move(parts[2].text), std::move(parts[3].text)});
}

void subscription::tell(subscription_event const& event) const {
  if (!closed_) listener_(event);
}

void subscription::close() {
  if (std::exchange(closed_, true)) return;
  if (line_) line_->close({});
  wait_.cancel();
  heartbeat_.cancel();
}

}  // namespace petstore::redis
