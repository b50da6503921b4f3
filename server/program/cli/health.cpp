// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "cli/health.hpp"

#include <fmt/format.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cli/advice.hpp"
#include "config/values.hpp"

namespace petstore::program {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

tcp::endpoint reachable(loaded_settings const& loaded) {
  auto endpoint = loaded.values.admin_listen;
  if (endpoint.port() == 0) {
    throw config_error({fmt::format("admin-listen: `{}` (from {}) is another port at each start; give the one to ask",
                                    to_text(endpoint), loaded.source_of("admin-listen"))});
  }
  if (endpoint.address().is_unspecified()) {
    bool const v4 = endpoint.address().is_v4();
    endpoint.address(v4 ? asio::ip::address(asio::ip::address_v4::loopback())
                        : asio::ip::address(asio::ip::address_v6::loopback()));
  }
  return endpoint;
}

/// Returns the answer, or the part of it that came before the connection ended. Throws if there is no connection.
asio::awaitable<std::string> answer_of(tcp::endpoint endpoint, std::string_view path) {
  auto const executor = co_await asio::this_coro::executor;
  tcp::socket socket(executor);
  co_await socket.async_connect(endpoint, asio::use_awaitable);
  auto const request = fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", path, to_text(endpoint));
  auto const from = asio::buffer(request);
  co_await asio::async_write(socket, from, asio::use_awaitable);
  std::string answer;
  boost::system::error_code end;
  auto const into = asio::dynamic_buffer(answer, health_answer_bytes_max);
  auto until_the_end = asio::redirect_error(asio::use_awaitable, end);
  co_await asio::async_read(socket, into, std::move(until_the_end));
  co_return answer;
}

std::string_view body_of(std::string_view answer) {
  auto const end = answer.find("\r\n\r\n");
  return end == answer.npos ? std::string_view{} : answer.substr(end + 4);
}

}  // namespace

exit_code health_command(loaded_settings const& loaded, health_page page, std::chrono::milliseconds deadline,
                         streams out) {
  auto const endpoint = reachable(loaded);
  std::string_view const path = page == health_page::live ? "/livez" : "/readyz";
  auto const url = fmt::format("http://{}{}", to_text(endpoint), path);

  std::optional<std::string> answer;
  std::string fault = fmt::format("no answer within {} ms", deadline.count());
  asio::io_context context{1};
  auto const keep = [&](std::exception_ptr failure, std::string text) {
    if (!failure) {
      answer = std::move(text);
      return;
    }
    try {
      std::rethrow_exception(failure);
    } catch (boost::system::system_error const& cause) {
      fault = cause.code().message();
    } catch (std::exception const& cause) {
      fault = cause.what();
    }
  };
  asio::co_spawn(context, answer_of(endpoint, path), keep);
  context.run_for(deadline);

  if (!answer) {
    out.err << "petstore: " << url << ": " << fault << '\n';
    if (auto const advice = advice_for(fault); !advice.empty()) out.err << advice << '\n';
    return exit_code::failed;
  }
  if (!answer->starts_with("HTTP/1.1 200 ")) {
    auto const line = answer->substr(0, answer->find("\r\n"));
    out.err << "petstore: " << url << ": " << (line.empty() ? "closed without an answer" : line) << ' '
            << body_of(*answer) << '\n';
    return exit_code::failed;
  }
  out.out << body_of(*answer) << '\n';
  return exit_code::fine;
}

}  // namespace petstore::program
