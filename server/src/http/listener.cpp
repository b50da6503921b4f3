// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/listener.hpp"

#include <boost/asio/co_spawn.hpp>
#include <exception>
#include <utility>

#include "http/connection.hpp"
#include "http/session.hpp"
#include "http/turned_away.hpp"
#include "net/listener.hpp"
#include "net/tls/stream.hpp"
#include "petstore/asio/serial_executor.hpp"
#include "petstore/error_code.hpp"

namespace petstore::server {
namespace {

asio::ip::tcp::acceptor on_a_serial_executor(asio::ip::tcp::acceptor acceptor) {
  (void)serial_executor<>{acceptor.get_executor()};  // throws for a thread pool's
  return acceptor;
}

}  // namespace

/// A listener for HTTP, with or without TLS.
struct listener::impl final : http::http_state, net::listener {
  impl(asio::ip::tcp::acceptor a, http_handler& h, connection_limits const& l, connection_budget& b, log_function to,
       access_log_function each, listener_options const& o)
      : http::http_state{h, l, std::move(to), std::move(each)}, net::listener{std::move(a), *this, b, o} {
    counters = o.counters;
    state = o.state;
    expects_proxy_header = o.expects_proxy_header;
    if (o.tls) encryption = std::make_unique<tls::listener_tls>(o.tls->shared(), o.handshakes);
  }

  void serve(net::descriptor socket, asio::ip::tcp::endpoint const& peer,
             std::unique_ptr<net::registration> registration) override {
    boost::intrusive_ptr c{
        new http::connection{std::move(socket), peer, *this, encryption.get(), sockets(), std::move(registration)}};
    http::connection::start(std::move(c), executor());
  }

  /// An encrypted answer would need a handshake, but there is no time or no slot for one: the connection is closed.
  void turn_away(net::descriptor socket, asio::ip::tcp::endpoint const& peer, std::string_view why) override {
    if (!encryption) http::turn_away_at_once(std::move(socket), peer, *this, why);
  }

  std::unique_ptr<tls::listener_tls> encryption;  ///< null without TLS
};

listener::listener(asio::ip::tcp::acceptor acceptor, http_handler& handler, connection_limits const& limits,
                   connection_budget& budget, log_function log, access_log_function access_log,
                   listener_options const& options)
    : impl_{std::make_shared<impl>(on_a_serial_executor(std::move(acceptor)), handler, limits, budget, std::move(log),
                                   std::move(access_log), options)} {}

listener::~listener() {
  impl_->abandon();
}

void listener::start() {
  impl_->start();
}

void listener::take(asio::ip::tcp::socket socket) {
  impl_->take(std::move(socket));
}

void listener::set_limits(connection_limits const& limits) {
  impl_->set_limits(limits);
}

void listener::begin_drain() {
  impl_->begin_drain();
}

listener::executor_type listener::get_executor() const noexcept {
  return executor_of(*impl_);
}

listener::executor_type listener::executor_of(impl& i) noexcept {
  return i.executor();
}

void listener::begin_stop(std::shared_ptr<impl> const& i, std::chrono::milliseconds timeout,
                          std::function<void(boost::system::error_code, bool)> done) {
  auto ended = [done = std::move(done)](std::exception_ptr const& thrown, bool is_whole) {
    if (done) done(code_of(thrown), is_whole);
  };
  asio::co_spawn(i->executor(), net::listener::stop(i, timeout), std::move(ended));
}

asio::ip::tcp::endpoint listener::local_endpoint() const {
  return impl_->local_endpoint();
}

std::size_t listener::session_count() const noexcept {
  return impl_->connection_count();
}

}  // namespace petstore::server
