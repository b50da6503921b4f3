// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "io/polled_connection.hpp"

#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/system/system_error.hpp>
#include <cerrno>
#include <exception>
#include <utility>

#include "io/socket_options.hpp"

namespace petstore::server::io {
namespace {

using step = session::step;

/// A client that sends without a pause is read from so often before the others get their turn.
constexpr int reads_max = 4;

}  // namespace

template <class Session>
void polled_connection<Session>::watch(asio::ip::tcp::socket& socket) {
  socket.native_non_blocking(true);
  socket_ = socket.release();
  if (auto const ec = poller_->add(socket_, *this)) {
    ::close(socket_);
    throw boost::system::system_error{ec, "epoll_ctl"};
  }
}

template <class Session>
polled_connection<Session>::~polled_connection() {
  if (socket_ < 0) return;
  poller_->remove(socket_, *this);
  ::close(socket_);
}

template <class Session>
void polled_connection<Session>::start(step next) {
  self_ = this;
  run(next);
}

template <class Session>
void polled_connection<Session>::on_ready(std::uint32_t events) {
  if (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) is_hung_up_ = is_readable_ = is_writable_ = true;
  if (events & EPOLLIN) is_readable_ = true;
  if (events & EPOLLOUT) is_writable_ = true;
  if (!is_blocked_) return;
  // Who has ended its side while requests wait for long has given up: answering would only make the others wait too.
  if (is_hung_up_ && host_.surplus.is_behind() && session_.is_idle()) {
    if (has_unread()) host_.count(parting::abandoned);
    return abort();
  }
  run(next_);
}

/// One step after the other until one has to wait.
template <class Session>
void polled_connection<Session>::run(step next) {
  ownership const self{this};
  is_blocked_ = false;
  reads_left_ = reads_max;
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
        case step::identify: next = session_.identified(place_->pass_on(session_.peer())); break;
        case step::shut_down:
          ::shutdown(socket_, SHUT_WR);  // if that fails, so will the reading that follows
          next = session_.is_shut_down();
          break;
        case step::close: return end();
      }
    }
    next_ = next;
  } catch (std::exception const& e) {
    lose(e);
  }
}

/// The same, from what the session has to say first.
template <class Session>
void polled_connection<Session>::run(step (Session::*first)()) {
  ownership const self{this};
  step next{};
  try {
    next = (session_.*first)();
  } catch (std::exception const& e) {
    return lose(e);
  }
  run(next);
}

/// Out of memory, or a log that throws. The connection is lost, the others are not.
template <class Session>
void polled_connection<Session>::lose(std::exception const& e) noexcept {
  session_.lost(e.what());
  end();
}

template <class Session>
step polled_connection<Session>::receive() {
  while (is_readable_ && reads_left_-- > 0) {
    auto const room = session_.room();
    ssize_t const n = ::recv(socket_, room.data(), room.size(), 0);
    if (n > 0) {
      // Less than there was room for: the kernel has no more, and will tell of what comes.
      is_readable_ = is_hung_up_ || static_cast<std::size_t>(n) == room.size();
      return session_.received(static_cast<std::size_t>(n));
    }
    if (n == 0) return session_.ended();
    if (has_failed(is_readable_)) return step::close;
  }
  if (is_readable_) poller_->tell_again(socket_, *this);
  is_blocked_ = true;
  return step::receive;
}

template <class Session>
step polled_connection<Session>::send() {
  while (is_writable_) {
    auto const bytes = session_.unsent();
    ssize_t const n = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n >= 0) return session_.sent(static_cast<std::size_t>(n));
    if (has_failed(is_writable_)) return step::close;
  }
  session_.stalled();
  is_blocked_ = true;
  return step::send;
}

/// After a call that moved nothing: whether the connection is broken. If not, the socket is not ready, or a signal came
/// in between.
template <class Session>
bool polled_connection<Session>::has_failed(bool& is_ready) noexcept {
  if (errno == EINTR) return false;
  if (errno == EAGAIN) {
    is_ready = false;
    return false;
  }
  session_.broken();
  return true;
}

/// Whether the kernel has something from the client that was not asked for yet.
template <class Session>
bool polled_connection<Session>::has_unread() const noexcept {
  int bytes = 0;
  return ::ioctl(socket_, FIONREAD, &bytes) == 0 && bytes > 0;
}

/// A connection that ended meanwhile still has its answer recorded, as one that was not sent.
template <class Session>
void polled_connection<Session>::on_worked() {
  is_working_ = false;
  if (socket_ >= 0) return run(&Session::worked);
  try {
    session_.worked();
    session_.broken();
  } catch (std::exception const& e) {
    session_.lost(e.what());
  }
  end();
}

template <class Session>
void polled_connection<Session>::check_deadline(steady_time now) {
  if (now < session_.deadline()) return;
  if (session_.is_receiving()) return give_up(now);
  if (session_.is_sending()) forget_unsent(socket_);
  abort();
}

template <class Session>
void polled_connection<Session>::finish() {
  if (session_.finish()) give_up(steady_time::max());
}

template <class Session>
void polled_connection<Session>::make_way() {
  ownership const self{this};
  auto const since = session_.waiting_since();
  if (session_.is_idle()) look_again();
  if (!is_waiting() || session_.waiting_since() != since) return;
  run(&Session::given_up);
  abort();  // there is no time to linger
}

/// Waiting for the client is over. What has arrived by now is not lost: between two requests, one more look.
template <class Session>
void polled_connection<Session>::give_up(steady_time now) {
  ownership const self{this};
  if (session_.is_idle()) look_again();
  if (is_waiting() && now >= session_.deadline()) run(&Session::given_up);
}

template <class Session>
void polled_connection<Session>::look_again() {
  is_readable_ = true;
  run(step::receive);
}

template <class Session>
void polled_connection<Session>::abort() noexcept {
  if (socket_ < 0) return;
  if (!is_working_) session_.broken();
  end();
}

/// While a handler is at work, the connection outlives its socket, and the handler's completion owns it.
template <class Session>
void polled_connection<Session>::end() noexcept {
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

template class polled_connection<session>;
template class polled_connection<tls::secure_session>;

}  // namespace petstore::server::io
