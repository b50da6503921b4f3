// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// A check of keys that asks another service, as a coroutine.
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "examples.hpp"

namespace examples {

using namespace petstore;

ports::eventual<std::optional<server::principal>> session_check::check(std::string_view token, limits::instant) {
  return look_up(std::string{token});
}

asio::awaitable<std::optional<server::principal>> session_check::look_up(std::string token) {
  co_await asio::post(asio::use_awaitable);  // stands for a question to a database or to another service
  ++asked;
  if (token != "session-of-ann") co_return std::nullopt;
  co_return server::principal{.identity = 7, .plan = {limits::per_minute(60)}};
}

}  // namespace examples
