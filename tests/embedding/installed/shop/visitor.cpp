// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// Code of a host on Asio, independent of this project: nested coroutines, timers, sockets, and a handler with Asio's
// deprecated allocation hook. It shares an io_context with the service, so both must have the same layout of Asio's
// types.
#include "visitor.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstdlib>

namespace asio = boost::asio;

asio::awaitable<std::string> visit(asio::ip::tcp::endpoint server, std::string_view path, int depth) {
  auto const executor = co_await asio::this_coro::executor;
  if (depth > 0) {
    asio::steady_timer timer{executor, std::chrono::milliseconds{1}};
    co_await timer.async_wait(asio::use_awaitable);
    std::string answer = co_await visit(server, path, depth - 1);
    co_return answer;
  }
  asio::ip::tcp::socket socket{executor};
  co_await socket.async_connect(server, asio::use_awaitable);
  std::string const request = "GET " + std::string{path} + " HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n";
  co_await asio::async_write(socket, asio::buffer(request), asio::use_awaitable);
  std::string answer;
  boost::system::error_code error;
  co_await asio::async_read(socket, asio::dynamic_buffer(answer), asio::redirect_error(asio::use_awaitable, error));
  if (error != asio::error::eof) throw boost::system::system_error{error};
  co_return answer;
}

namespace {

struct old_handler {
  int* allocations;
  void operator()(boost::system::error_code) const {}

#if !defined(BOOST_ASIO_NO_DEPRECATED)  // refuses hooks
  friend void* asio_handler_allocate(std::size_t size, old_handler* self) {
    ++*self->allocations;
    return std::malloc(size);
  }
  friend void asio_handler_deallocate(void* memory, std::size_t, old_handler*) {
    std::free(memory);
  }
#endif
};

}  // namespace

int allocations_by_the_handler(asio::io_context& context) {
  int allocations = 0;
  asio::steady_timer timer{context, std::chrono::milliseconds{0}};
  timer.async_wait(old_handler{&allocations});
  context.restart();
  context.run();
  return allocations;
}
