// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "io/polled_connection.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/system/system_error.hpp>
#include <cerrno>
#include <exception>
#include <utility>

#include "io/peer_address.hpp"

namespace petstore::server::io {

using step = session::step;

polled_connection::polled_connection(asio::ip::tcp::socket socket, asio::ip::tcp::endpoint const& peer,
                                     session_host& host, std::shared_ptr<poller> p, std::unique_ptr<place> held)
    : executor_{socket.get_executor()},
      poller_{std::move(p)},
      place_{std::move(held)},
      session_{to_bytes(peer.address()), host},
      socket_{-1} {
  socket.native_non_blocking(true);
  socket_ = socket.release();
  if (auto const ec = poller_->add(socket_, *this)) {
    ::close(socket_);
    throw boost::system::system_error{ec, "epoll_ctl"};
  }
}

polled_connection::~polled_connection() {
  if (socket_ < 0) return;
  poller_->remove(socket_, *this);
  ::close(socket_);
}

void polled_connection::start(step next) {
  self_ = this;
  run(next);
}

void polled_connection::on_ready(std::uint32_t events) {
  if (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) is_hung_up_ = is_readable_ = is_writable_ = true;
  if (events & EPOLLIN) is_readable_ = true;
  if (events & EPOLLOUT) is_writable_ = true;
  if (is_blocked_) run(next_);
}

/// One step after the other until one has to wait.
void polled_connection::run(step next) {
  ownership const self{this};
  is_blocked_ = false;
  try {
    while (!is_blocked_) {
      switch (next) {
        case step::receive: next = receive(); break;
        case step::send: next = send(); break;
        case step::wait: {
          auto work = session_.work();
          asio::co_spawn(executor_, std::move(work), [self](std::exception_ptr) { self->on_worked(); });
          is_working_ = true;
          return;
        }
        case step::shut_down:
          ::shutdown(socket_, SHUT_WR);  // if that fails, so will the reading that follows
          next = session_.is_shut_down();
          break;
        case step::close: return end();
      }
    }
    next_ = next;
  } catch (std::exception const& e) {
    // Out of memory, or a log that throws. The connection is lost, the others are not.
    session_.lost(e.what());
    end();
  }
}

step polled_connection::receive() {
  while (is_readable_) {
    auto const room = session_.room();
    ssize_t const n = ::recv(socket_, room.data(), room.size(), 0);
    if (n > 0) {
      // Less than there was room for: the kernel has no more, and will tell of what comes.
      is_readable_ = is_hung_up_ || static_cast<std::size_t>(n) == room.size();
      return session_.received(static_cast<std::size_t>(n));
    }
    if (n == 0) return session_.ended();
    if (errno == EAGAIN) {
      is_readable_ = false;
    } else if (errno != EINTR) {
      session_.broken();
      return step::close;
    }
  }
  is_blocked_ = true;
  return step::receive;
}

step polled_connection::send() {
  while (is_writable_) {
    auto const bytes = session_.unsent();
    ssize_t const n = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n >= 0) return session_.sent(static_cast<std::size_t>(n));
    if (errno == EAGAIN) {
      is_writable_ = false;
    } else if (errno != EINTR) {
      session_.broken();
      return step::close;
    }
  }
  is_blocked_ = true;
  return step::send;
}

/// A connection that ended meanwhile still has its answer recorded, as one that was not sent.
void polled_connection::on_worked() {
  is_working_ = false;
  if (socket_ >= 0) return run(session_.worked());
  try {
    session_.worked();
    session_.broken();
  } catch (std::exception const& e) {
    session_.lost(e.what());
  }
  end();
}

void polled_connection::check_deadline(steady_time now) {
  if (now < session_.deadline()) return;
  if (session_.is_receiving()) return give_up(now);
  abort();
}

void polled_connection::finish() {
  if (session_.finish()) give_up(steady_time::max());
}

/// Waiting for the client is over. What has arrived by now is not lost: between two requests, one more look.
void polled_connection::give_up(steady_time now) {
  ownership const self{this};
  if (session_.is_idle()) {
    is_readable_ = true;
    run(step::receive);
  }
  if (socket_ >= 0 && is_blocked_ && session_.is_receiving() && now >= session_.deadline()) run(session_.given_up());
}

void polled_connection::abort() noexcept {
  if (socket_ < 0) return;
  if (!is_working_) session_.broken();
  end();
}

/// While a handler is at work, the connection outlives its socket, and the handler's completion owns it.
void polled_connection::end() noexcept {
  ownership const self{this};
  self_.reset();
  if (socket_ >= 0) {
    poller_->remove(socket_, *this);
    ::close(std::exchange(socket_, -1));
    unlink();
  }
  if (is_working_) return;
  if (auto const left = std::move(place_)) left->leave();
}

}  // namespace petstore::server::io
