// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "store/admin_client.hpp"

#include <fmt/format.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/json/parse.hpp>
#include <boost/system/system_error.hpp>
#include <chrono>
#include <utility>

#include "outcome.hpp"
#include "store/await.hpp"

namespace petstore::program {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;

constexpr std::string_view scheme = "http://";
constexpr std::string_view usual_port = "80";
constexpr std::chrono::seconds answer_deadline{30};
/// A page of 200 keys needs far less.
constexpr std::size_t answer_bytes_max = 4 * 1024 * 1024;

using request = http::request<http::string_body>;
using response = http::response<http::string_body>;

asio::awaitable<response> exchange(std::string host, std::string port, request asked) {
  auto const executor = co_await asio::this_coro::executor;
  tcp::resolver resolver(executor);
  auto const endpoints = co_await resolver.async_resolve(host, port, asio::use_awaitable);
  beast::tcp_stream stream(executor);
  stream.expires_after(answer_deadline);
  co_await stream.async_connect(endpoints, asio::use_awaitable);
  co_await http::async_write(stream, asked, asio::use_awaitable);
  beast::flat_buffer buffer;
  http::response_parser<http::string_body> parser;
  parser.body_limit(answer_bytes_max);
  co_await http::async_read(stream, buffer, parser, asio::use_awaitable);
  co_return parser.release();
}

/// Returns the target in a field such as `</admin/v1/keys?cursor=…>; rel="next"`.
std::string next_in(std::string_view link) {
  auto const end = link.find('>');
  return link.starts_with('<') && end != link.npos ? std::string(link.substr(1, end - 1)) : std::string{};
}

/// Returns the message in the body of an error, or the status.
std::string message_in(response const& told) {
  boost::system::error_code broken;
  auto const body = boost::json::parse(told.body(), broken);
  auto const* const object = broken ? nullptr : body.if_object();
  auto const* const message = object ? object->if_contains("message") : nullptr;
  if (message && message->is_string()) return std::string(std::string_view{message->get_string()});
  return fmt::format("the server answered {}", told.result_int());
}

}  // namespace

admin_client::admin_client(std::string_view url, std::string token) : token_{std::move(token)} {
  auto rest = url.starts_with(scheme) ? url.substr(scheme.size()) : std::string_view{};
  if (rest.ends_with('/')) rest.remove_suffix(1);
  // An IPv6 address has colons, and stands in brackets.
  auto const bracket = rest.find(']');
  auto const colon = rest.find(':', bracket == rest.npos ? 0 : bracket);
  host_ = rest.substr(0, colon);
  port_ = colon == rest.npos ? usual_port : rest.substr(colon + 1);
  if (host_.empty() || port_.empty() || rest.find_first_of("/?#@ ") != rest.npos)
    throw usage_error(fmt::format("--admin-url: `{}` is not an address such as http://127.0.0.1:9090", url));
}

admin_client::answer admin_client::send(std::string_view method, std::string_view target, std::string body) const {
  request asked{http::string_to_verb(method), target, 11};
  asked.set(http::field::host, fmt::format("{}:{}", host_, port_));
  asked.set(http::field::authorization, "Bearer " + token_);
  asked.set(http::field::connection, "close");
  if (!body.empty()) asked.set(http::field::content_type, "application/json");
  asked.body() = std::move(body);
  asked.prepare_payload();

  auto const is_v6 = host_.starts_with('[');
  response told;
  try {
    told = await(exchange(is_v6 ? host_.substr(1, host_.size() - 2) : host_, port_, std::move(asked)));
  } catch (boost::system::system_error const& failure) {
    throw command_error(fmt::format("{}{}:{}: {}", scheme, host_, port_, failure.code().message()));
  }
  auto const status = told.result_int();
  if (status >= 200 && status < 300) return {std::move(told.body()), next_in(told[http::field::link])};
  if (status == 400) throw usage_error(message_in(told));
  throw command_error(message_in(told));
}

}  // namespace petstore::program
