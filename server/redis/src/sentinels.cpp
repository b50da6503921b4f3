// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "sentinels.hpp"

#include <utility>

#include "parsing.hpp"

namespace petstore::redis {
sentinels::sentinels(std::shared_ptr<dialer> calls) : dialer_{std::move(calls)} {}

asio::awaitable<result<node>> sentinels::find_master() {
  named_by_.reset();
  if (auto const announced = std::exchange(announced_, std::nullopt)) co_return *announced;
  auto asking = ask_in_turn();
  result<node> found = co_await std::move(asking);
  if (found) named_by_ = first_;
  co_return found;
}

asio::awaitable<result<node>> sentinels::ask_in_turn() {
  auto const& all = dialer_->address().nodes;
  failure last{errc::not_connected, "No sentinel was asked."};
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto const which = (first_ + i) % all.size();
    auto asking = ask(all[which]);
    result<node> found = co_await std::move(asking);
    if (found) {
      first_ = which;
      co_return *found;
    }
    last = {errc::not_connected, "Sentinel " + to_string(all[which]) + ": " + found.error().detail};
  }
  co_return last;
}

void sentinels::doubt() noexcept {
  if (named_by_) first_ = (*std::exchange(named_by_, std::nullopt) + 1) % dialer_->address().nodes.size();
}

asio::awaitable<result<node>> sentinels::ask(node sentinel) {
  auto opening = open(std::move(sentinel));
  result<std::shared_ptr<channel>> line = co_await std::move(opening);
  if (!line) co_return line.error();
  auto asking =
      (*line)->ask({"SENTINEL", "GET-MASTER-ADDR-BY-NAME", dialer_->address().master_name}, dialer_->deadline());
  result<reply> answer = co_await std::move(asking);
  if (!answer) co_return answer.error();
  if (answer->is_error()) co_return failure{errc::refused, answer->text};
  if (answer->elements.size() != 2) co_return failure{errc::refused, "It knows no master of that name."};
  auto const port = parse_port(answer->elements[1].text);
  if (!port) co_return failure{errc::bad_reply, "It names no port."};
  co_return node{answer->elements[0].text, *port};
}

asio::awaitable<result<std::shared_ptr<channel>>> sentinels::open_next() {
  auto const& all = dialer_->address().nodes;
  auto opening = open(all[listened_++ % all.size()]);
  co_return co_await std::move(opening);
}

/// Connects to a sentinel. It has its own users, or none, so it gets user and password only if it asks for them.
asio::awaitable<result<std::shared_ptr<channel>>> sentinels::open(node sentinel) {
  auto opening = dialer_->open(std::move(sentinel));
  result<std::shared_ptr<channel>> line = co_await std::move(opening);
  if (!line) co_return line.error();
  auto asking = (*line)->ask({"PING"}, dialer_->deadline());
  result<reply> answer = co_await std::move(asking);
  auto credentials = credentials_of(dialer_->address());
  if (answer && answer->is_error() && answer->text.starts_with("NOAUTH") && !credentials.empty()) {
    asking = (*line)->ask(std::move(credentials), dialer_->deadline());
    answer = co_await std::move(asking);
  }
  if (!answer) co_return answer.error();
  if (answer->is_error()) co_return failure{errc::refused, answer->text};
  co_return std::move(*line);
}

}  // namespace petstore::redis
