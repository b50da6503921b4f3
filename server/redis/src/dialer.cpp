// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "dialer.hpp"

#include <utility>

namespace petstore::redis {

dialer::dialer(asio::any_io_executor executor, redis::address where, std::string name, client_limits const& limits)
    : executor_{std::move(executor)},
      address_{std::move(where)},
      name_{std::move(name)},
      limits_{limits},
      names_{executor_} {
  if (address_.tls) tls_.emplace(make_tls_context(address_));
}

asio::awaitable<result<std::shared_ptr<channel>>> dialer::open(node where) {
  if (closed_) co_return failure{errc::closed, {}};
  auto line = std::make_shared<channel>(executor_, names_, tls_ ? &*tls_ : nullptr, limits_.replies);
  std::erase_if(opened_, [](auto const& one) { return one.expired(); });
  opened_.push_back(line);
  auto opening = line->open(std::move(where), address_.server_name, deadline());
  result<void> const opened = co_await std::move(opening);
  if (!opened) co_return opened.error();
  co_return line;
}

void dialer::close() {
  closed_ = true;
  names_.close();
  for (auto const& one : opened_) {
    if (auto const line = one.lock()) line->close({});
  }
}

asio::awaitable<result<dialer::greeted>> dialer::greet(node where) {
  auto opening = open(std::move(where));
  result<std::shared_ptr<channel>> line = co_await std::move(opening);
  if (!line) co_return line.error();
  auto greeting = send_greeting(**line, address_, name_, deadline());
  result<greeting_answer> said = co_await std::move(greeting);
  if (!said) co_return said.error();
  co_return greeted{std::move(*line), std::move(*said)};
}

}  // namespace petstore::redis
