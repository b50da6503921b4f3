// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "engine/live_page.hpp"

#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "report/live_metrics.hpp"

namespace petstore::load {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t request_bytes_max = 8 * 1024;

std::string answer(std::string_view status, std::string_view type, std::string_view body) {
  std::string text = "HTTP/1.1 ";
  text.append(status).append("\r\nContent-Type: ").append(type);
  text.append("\r\nContent-Length: ").append(std::to_string(body.size()));
  return text.append("\r\nConnection: close\r\n\r\n").append(body);
}

std::string answer_to(std::string_view request, std::string const& page) {
  bool const is_page = request.starts_with("GET /metrics ") || request.starts_with("GET /metrics?");
  return is_page ? answer("200 OK", live_metrics_type, page)
                 : answer("404 Not Found", "text/plain", "The live figures are at /metrics.\n");
}

tcp::acceptor listening(asio::io_context& io, tcp::endpoint const& at) {
  try {
    return tcp::acceptor(io, at);
  } catch (boost::system::system_error const& e) {
    std::ostringstream text;
    text << "--live-metrics " << at << ": " << e.code().message();
    throw std::runtime_error(text.str());
  }
}

}  // namespace

/// One connection. Its handlers share it.
struct live_page::visit : std::enable_shared_from_this<visit> {
  visit(live_page const& p, tcp::socket s) : page(p), socket(std::move(s)), patience(socket.get_executor()) {}

  void begin() {
    patience.expires_after(live_page_patience);
    patience.async_wait([self = shared_from_this()](error_code ec) {
      if (!ec) self->socket.close(ec);
    });
    asio::async_read_until(
        socket, asio::dynamic_buffer(heard, request_bytes_max), "\r\n\r\n",
        [self = shared_from_this()](error_code ec, std::size_t) { ec ? self->end() : self->reply(); });
  }

  void reply() {
    said = answer_to(heard, page.text_);
    asio::async_write(socket, asio::buffer(said),
                      [self = shared_from_this()](error_code, std::size_t) { self->end(); });
  }

  void end() {
    patience.cancel();
    error_code ignored;
    socket.shutdown(tcp::socket::shutdown_both, ignored);
    socket.close(ignored);
  }

  live_page const& page;
  tcp::socket socket;
  asio::steady_timer patience;
  std::string heard;
  std::string said;
};

live_page::live_page(asio::io_context& io, tcp::endpoint const& at) : acceptor_(listening(io, at)) {
  accept();
}

void live_page::accept() {
  acceptor_.async_accept([this](error_code ec, tcp::socket socket) {
    if (ec == asio::error::operation_aborted) return;
    if (!ec) std::make_shared<visit>(*this, std::move(socket))->begin();
    accept();
  });
}

}  // namespace petstore::load
