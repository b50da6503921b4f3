// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The limiter in front of a Beast websocket. The upgrade takes a token, and so does each message. A client without
// tokens gets a 429 with all fields instead of the upgrade. If the answer to a message cannot be sent, its token comes
// back.
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include "examples.hpp"
#include "petstore/limits/notice.hpp"
#include "petstore/server/beast.hpp"

namespace examples {

using namespace petstore;
namespace beast = boost::beast;
namespace http = beast::http;

namespace {

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

asio::awaitable<void> refuse(asio::ip::tcp::socket& socket, limits::verdict const& verdict) {
  http::response<http::empty_body> answer{http::status::too_many_requests, 11};
  server::set_rate_limit(answer, verdict);
  answer.keep_alive(false);
  answer.prepare_payload();
  co_await http::async_write(socket, answer, as_result);
}

}  // namespace

asio::awaitable<void> serve_chat(asio::ip::tcp::socket socket, limits::limiter<std::string>& quota) {
  beast::flat_buffer input;
  http::request<http::empty_body> upgrade;
  auto const [failed_read, head_size] = co_await http::async_read(socket, input, upgrade, as_result);
  if (failed_read) co_return;
  std::string const user{upgrade["X-User"]};
  if (auto const verdict = quota.charge(user, limits::now()); verdict.refused()) {
    co_await refuse(socket, verdict);
    co_return;
  }

  beast::websocket::stream<asio::ip::tcp::socket> chat{std::move(socket)};
  auto const [failed_accept] = co_await chat.async_accept(upgrade, as_result);
  while (!failed_accept) {
    beast::flat_buffer message;
    auto const [failed, size] = co_await chat.async_read(message, as_result);
    if (failed) co_return;
    auto held = quota.reserve(user, 1);
    std::string answer = "you said " + beast::buffers_to_string(message.data());
    if (!held.admitted()) answer = "wait " + std::to_string(limits::tell(held.decision()).retry_after_s) + " s";
    auto const [not_sent, sent] = co_await chat.async_write(asio::buffer(answer), as_result);
    if (not_sent) co_return;  // the destructor of `held` gives the token back
    held.commit();
  }
}

}  // namespace examples
