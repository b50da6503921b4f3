// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The whole service in a program without coroutines that accepts its connections itself, for example to inspect them
// first, or because its socket also serves other protocols.
#include "examples.hpp"

namespace examples {

using namespace petstore;

callback_host::callback_host(asio::io_context& context, std::shared_ptr<ports::store> store,
                             std::shared_ptr<ports::quota_source> quotas)
    : acceptor_{context, {asio::ip::address_v4::loopback(), 0}},
      app_{{context.get_executor()}, std::move(store), std::move(quotas)} {}

void callback_host::start() {
  app_.async_start([this](boost::system::error_code failed) {
    if (!failed) accept();
  });
}

void callback_host::accept() {
  acceptor_.async_accept([this](boost::system::error_code failed, asio::ip::tcp::socket socket) {
    if (failed) return;
    app_.serve(std::move(socket));
    accept();
  });
}

void callback_host::stop(std::function<void(bool)> done) {
  acceptor_.close();
  app_.async_drain(
      {}, [done = std::move(done)](boost::system::error_code failed, bool is_whole) { done(!failed && is_whole); });
}

}  // namespace examples
