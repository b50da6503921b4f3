// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The smallest program that serves a page with Boost.Beast, without this project and without another framework.
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

int main() {
  namespace http = boost::beast::http;
  boost::asio::io_context context;
  boost::asio::ip::tcp::acceptor acceptor{context, {boost::asio::ip::address_v4::loopback(), 8080}};
  for (;;) {
    auto socket = acceptor.accept();
    boost::beast::flat_buffer buffer;
    http::request<http::string_body> request;
    http::read(socket, buffer, request);
    http::response<http::string_body> response{http::status::ok, request.version(), "hello"};
    response.prepare_payload();
    http::write(socket, response);
  }
}
