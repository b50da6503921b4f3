// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/socket_stream.hpp"

#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/async_result.hpp>
#include <boost/system/system_error.hpp>
#include <cerrno>
#include <utility>

#include "net/socket_options.hpp"

namespace petstore::server::net {
namespace {

/// The number of reads from a client that sends without a pause, before other connections get their turn.
constexpr int reads_max = 4;

}  // namespace

socket_stream::socket_stream(descriptor socket, std::shared_ptr<poller> p)
    : poller_{std::move(p)}, fd_{socket.release()}, reads_left_{reads_max} {}

socket_stream::~socket_stream() {
  close();
}

transfer socket_stream::read(std::span<char> buffer) {
  if (fd_ < 0) return {status::failed};
  while (is_readable_) {
    if (reads_left_ == 0) {
      if (is_watched_) poller_->notify_again(fd_, *this, is_watched_for_writable_);
      return {status::blocked};
    }
    --reads_left_;
    ssize_t const n = ::recv(fd_, buffer.data(), buffer.size(), 0);
    if (n > 0) {
      // A partly filled buffer: the kernel has no more data, and the poller will report new data.
      is_readable_ = is_hung_up_ || static_cast<std::size_t>(n) == buffer.size();
      return {status::moved, static_cast<std::size_t>(n)};
    }
    if (n == 0) return {status::ended};
    if (has_failed(is_readable_)) return {status::failed};
  }
  return {status::blocked};
}

transfer socket_stream::write(std::string_view bytes) {
  if (fd_ < 0) return {status::failed};
  while (is_writable_) {
    ssize_t const n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n >= 0) return {status::moved, static_cast<std::size_t>(n)};
    if (has_failed(is_writable_)) return {status::failed};
  }
  return {status::blocked};
}

status socket_stream::shut_down() {
  return fd_ >= 0 && ::shutdown(fd_, SHUT_WR) == 0 ? status::moved : status::failed;
}

/// After a call that moved nothing: returns whether the connection is broken. If not, the socket is not ready, or a
/// signal interrupted the call.
bool socket_stream::has_failed(bool& is_ready) const noexcept {
  if (errno == EINTR) return false;
  if (errno == EAGAIN) is_ready = false;
  return errno != EAGAIN;
}

void socket_stream::watch() {
  if (is_watched_) return;
  if (auto const ec = poller_->add(fd_, *this)) throw boost::system::system_error{ec, "epoll_ctl"};
  is_watched_ = true;
}

asio::awaitable<void> socket_stream::ready() {
  watch();
  if (!is_writable_ && !std::exchange(is_watched_for_writable_, true)) poller_->notify_again(fd_, *this, true);
  reads_left_ = reads_max;
  return asio::async_initiate<asio::use_awaitable_t<> const, void()>(
      [this](resumption r) { awaiting_.emplace(std::move(r)); }, asio::use_awaitable);
}

void socket_stream::on_ready(std::uint32_t events) {
  if (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) is_hung_up_ = is_readable_ = is_writable_ = true;
  if (events & EPOLLIN) is_readable_ = true;
  if (events & EPOLLOUT) is_writable_ = true;
  resume();
}

void socket_stream::resume() noexcept {
  if (!awaiting_) return;
  auto go_on = std::move(*awaiting_);
  awaiting_.reset();
  try {
    go_on();
  } catch (...) {
    // The coroutine catches its own exceptions. Only Asio can throw here, at the end of the coroutine, for lack of
    // memory.
  }
}

void socket_stream::look_again() noexcept {
  is_readable_ = true;
  resume();
}

bool socket_stream::has_unread() const noexcept {
  int bytes = 0;
  return ::ioctl(fd_, FIONREAD, &bytes) == 0 && bytes > 0;
}

void socket_stream::close() noexcept {
  if (fd_ < 0) return;
  if (is_watched_) poller_->remove(fd_, *this);
  ::close(std::exchange(fd_, -1));
  is_readable_ = is_writable_ = true;  // no call blocks any more
}

void socket_stream::set_write_timeout(connection_limits const& limits) noexcept {
  net::set_write_timeout(fd_, limits);
}

void socket_stream::forget_unsent() noexcept {
  net::forget_unsent(fd_);
}

}  // namespace petstore::server::net
