// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "io/asio_connection.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <exception>
#include <utility>

#include "io/socket_options.hpp"
#include "petstore/asio/as_result.hpp"

namespace petstore::server::io {
namespace {

using boost::system::error_code;
using step = session::step;

}  // namespace

template <class Session>
void asio_connection<Session>::start(std::unique_ptr<asio_connection> c, step first) {
  auto const executor = c->socket_.get_executor();
  auto serving = serve(std::move(c), first);
  asio::co_spawn(executor, std::move(serving), asio::detached);
}

template <class Session>
asio::awaitable<void> asio_connection<Session>::serve(std::unique_ptr<asio_connection> c, step first) {
  try {
    co_await c->run(first);
  } catch (std::exception const& e) {
    c->session_.lost(e.what());
  }
  auto const left = std::move(c->place_);
  c.reset();
  left->leave();
}

template <class Session>
asio::awaitable<void> asio_connection<Session>::run(step next) {
  while (next != step::close) {
    switch (next) {
      case step::receive: {
        auto const room = session_.room();
        auto const bytes = asio::buffer(room.data(), room.size());
        auto const [ec, n] = co_await socket_.async_read_some(bytes, as_result);
        next = judge_read(ec, n);
        break;
      }
      case step::send: {
        auto const unsent = session_.unsent();
        auto const bytes = asio::buffer(unsent.data(), unsent.size());
        auto const [ec, n] = co_await socket_.async_send(bytes, as_result);
        if (!ec) {
          next = session_.sent(n);
        } else {
          session_.broken();
          next = step::close;
        }
        break;
      }
      case step::wait:
        co_await session_.work();
        next = session_.worked();
        break;
      case step::identify: next = session_.identified(place_->pass_on(session_.peer())); break;
      case step::shut_down: {
        error_code ignored;  // if that fails, so will the reading that follows
        socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
        next = session_.is_shut_down();
        break;
      }
      case step::close: break;
    }
  }
  error_code ignored;
  socket_.close(ignored);
}

template <class Session>
step asio_connection<Session>::judge_read(error_code const& ec, std::size_t n) {
  if (is_broken_off_) {
    session_.broken();
    return step::close;
  }
  bool const is_idle = session_.is_idle();
  // A request that has run out of time is answered so, whatever of it has arrived at the last moment.
  if (std::exchange(is_given_up_, false) && !is_idle) return session_.given_up();
  if (!ec) return session_.received(n);
  if (ec == asio::error::eof) return session_.ended();
  if (ec == asio::error::operation_aborted && is_idle) return has_unread() ? step::receive : session_.given_up();
  session_.broken();
  return step::close;
}

template <class Session>
void asio_connection<Session>::check_deadline(steady_time now) {
  if (now < session_.deadline()) return;
  if (session_.is_receiving()) return stop_waiting();
  if (session_.is_sending()) forget_unsent(socket_.native_handle());
  abort();
}

/// Not of one that is being ended: it waits for its operation only.
template <class Session>
steady_time asio_connection<Session>::waiting_since() const noexcept {
  return is_broken_off_ || is_given_up_ ? steady_time::max() : session_.waiting_since();
}

/// The operation it waits for ends later, but that is certain, and soon.
template <class Session>
void asio_connection<Session>::make_way() {
  if (has_unread()) return;
  place_->make_free();
  abort();
}

template <class Session>
void asio_connection<Session>::finish() {
  if (session_.finish()) stop_waiting();
}

/// Cancelling, unlike closing, loses nothing that has been read already and is on its way to the coroutine.
template <class Session>
void asio_connection<Session>::stop_waiting() noexcept {
  is_given_up_ = true;
  error_code ignored;
  socket_.cancel(ignored);
}

/// The socket stays open until its operation has ended: Asio's io_uring backend (1.81) lends the state of a closed
/// socket to the next one before the cancelled operation is back, and then starts that operation again on a descriptor
/// that may be another client's by now. After this, whatever is still tried fails.
template <class Session>
void asio_connection<Session>::abort() noexcept {
  is_broken_off_ = true;
  error_code ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_both, ignored);
  socket_.cancel(ignored);
}

template <class Session>
bool asio_connection<Session>::has_unread() const noexcept {
  error_code closed;
  return socket_.available(closed) > 0;
}

template class asio_connection<session>;
template class asio_connection<tls::secure_session>;

}  // namespace petstore::server::io
