// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <string>
#include <string_view>
#include <thread>

/// What the drivers of the examples have in common: a host's context on a thread of its own, and a client that blocks.
namespace examples {

namespace asio = boost::asio;

/// Runs while it lives, then until what was begun is done.
class running_context {
 public:
  asio::io_context context{1};

  ~running_context() { finish(); }
  void finish() {
    work_.reset();
    if (thread_.joinable()) thread_.join();
  }

 private:
  asio::executor_work_guard<asio::io_context::executor_type> work_{context.get_executor()};
  std::thread thread_{[this] { context.run(); }};
};

inline asio::ip::tcp::endpoint any_port() {
  return {asio::ip::address_v4::loopback(), 0};
}

/// The whole answer to one request on a connection of its own.
inline std::string ask(asio::ip::tcp::endpoint const& server, std::string_view method, std::string_view path,
                       std::string_view more_fields = {}, std::string_view body = {}) {
  asio::io_context context;
  asio::ip::tcp::socket socket{context};
  socket.connect(server);
  std::string request{method};
  request.append(" ").append(path).append(" HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n").append(more_fields);
  if (!body.empty()) request.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n");
  request.append("\r\n").append(body);
  asio::write(socket, asio::buffer(request));
  std::string answer;
  boost::system::error_code end;
  asio::read(socket, asio::dynamic_buffer(answer), end);
  return answer;
}

inline unsigned status_of(std::string const& answer) {
  return answer.size() < 12 ? 0 : static_cast<unsigned>(std::stoul(answer.substr(9, 3)));
}

}  // namespace examples
