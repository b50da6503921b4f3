// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "bench/load/answering_server.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <memory>
#include <utility>

namespace petstore::load {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using tls_stream = asio::ssl::stream<tcp::socket>;

std::size_t body_bytes_of(std::string_view head) {
  constexpr std::string_view field = "Content-Length: ";
  auto const at = head.find(field);
  return at == head.npos ? 0 : std::stoul(std::string(head.substr(at + field.size(), 12)));
}

}  // namespace

template <class Stream>
struct answering_server::session : std::enable_shared_from_this<session<Stream>> {
  session(answering_server& s, Stream of) : server(s), stream(std::move(of)) {}

  void greet() {
    said = server.options_.greeting;
    asio::async_write(stream, asio::buffer(said), [self = this->shared_from_this()](error_code ec, std::size_t) {
      if (!ec) self->read_head();
    });
  }

  void read_head() {
    asio::async_read_until(stream, asio::dynamic_buffer(heard), "\r\n\r\n",
                           [self = this->shared_from_this()](error_code ec, std::size_t bytes) {
                             if (!ec) self->read_body(bytes);
                           });
  }

  void read_body(std::size_t head_bytes) {
    auto const all = head_bytes + body_bytes_of(std::string_view(heard).substr(0, head_bytes));
    auto const missing = all > heard.size() ? all - heard.size() : 0;
    asio::async_read(stream, asio::dynamic_buffer(heard), asio::transfer_exactly(missing),
                     [self = this->shared_from_this(), all](error_code ec, std::size_t) {
                       if (!ec) self->answer(all);
                     });
  }

  void answer(std::size_t request_bytes) {
    auto made = server.speak_(std::string_view(heard).substr(0, request_bytes), ++server.requests_);
    heard.erase(0, request_bytes);
    said = std::move(made.bytes);
    if (said.empty() && !made.close) return read_head();
    asio::async_write(stream, asio::buffer(said),
                      [self = this->shared_from_this(), close = made.close](error_code ec, std::size_t) {
                        if (!ec && !close) self->read_head();
                      });
  }

  answering_server& server;
  Stream stream;
  std::string heard;
  std::string said;
};

answering_server::answering_server(speaker speak) : answering_server(std::move(speak), options{}) {}

answering_server::answering_server(speaker speak, options o)
    : speak_(std::move(speak)), options_(std::move(o)), acceptor_(io_, {options_.address, 0}) {
  accept();
  thread_ = std::thread([this] { io_.run(); });
}

answering_server::~answering_server() {
  io_.stop();
  thread_.join();
}

std::string answering_server::url(std::string_view path) const {
  auto const scheme = options_.tls != nullptr ? "https://" : "http://";
  auto const host = options_.address.is_v6() ? "[" + options_.address.to_string() + "]" : options_.address.to_string();
  return scheme + host + ":" + std::to_string(port()) + std::string(path);
}

void answering_server::accept() {
  acceptor_.async_accept([this](error_code ec, tcp::socket socket) {
    if (ec) return;
    ++connections_;
    socket.set_option(tcp::no_delay(true));
    if (options_.tls != nullptr) {
      auto s = std::make_shared<session<tls_stream>>(*this, tls_stream(std::move(socket), *options_.tls));
      s->stream.async_handshake(tls_stream::server, [s](error_code failed) {
        if (!failed) s->greet();
      });
    } else {
      std::make_shared<session<tcp::socket>>(*this, std::move(socket))->greet();
    }
    accept();
  });
}

std::string answer_with(std::string_view body, std::string_view status, std::string_view fields) {
  std::string text = "HTTP/1.1 ";
  text.append(status).append("\r\n").append(fields);
  text.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n\r\n").append(body);
  return text;
}

answering_server::reply ok_to_all(std::string_view, unsigned) {
  return {answer_with("hello")};
}

}  // namespace petstore::load
