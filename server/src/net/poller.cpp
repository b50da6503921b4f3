// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/poller.hpp"

#include <boost/asio/bind_allocator.hpp>
#include <cerrno>
#include <utility>

#include "net/descriptor.hpp"

namespace petstore::server::net {
namespace {

using boost::system::error_code;

/// The number of epoll_wait calls before the other work in the io_context gets its turn.
constexpr int rounds_max = 4;

error_code last_error() noexcept {
  return {errno, boost::system::system_category()};
}

epoll_event interest_of(poller::target& t, bool of_writable) noexcept {
  epoll_event event{};
  event.events = EPOLLIN | EPOLLRDHUP | EPOLLET;
  if (of_writable) event.events |= EPOLLOUT;
  event.data.ptr = &t;
  return event;
}

}  // namespace

poller::poller(asio::any_io_executor const& executor) : epoll_{executor} {
  descriptor opened{::epoll_create1(EPOLL_CLOEXEC)};
  if (opened.get() < 0) throw boost::system::system_error{last_error(), "epoll_create1"};
  epoll_.assign(opened.get());
  opened.release();
}

void poller::start() {
  wait();
}

void poller::stop() noexcept {
  error_code ignored;
  epoll_.close(ignored);
}

error_code poller::add(int socket, target& t) noexcept {
  epoll_event event = interest_of(t, false);
  if (::epoll_ctl(epoll_.native_handle(), EPOLL_CTL_ADD, socket, &event) == 0) return {};
  return last_error();
}

void poller::notify_again(int socket, target& t, bool of_writable) noexcept {
  epoll_event event = interest_of(t, of_writable);
  ::epoll_ctl(epoll_.native_handle(), EPOLL_CTL_MOD, socket, &event);
}

void poller::remove(int socket, target& t) noexcept {
  ::epoll_ctl(epoll_.native_handle(), EPOLL_CTL_DEL, socket, nullptr);
  // Events that epoll_wait has already returned must not reach a destroyed target.
  for (int i = current_ + 1; i < count_; ++i)
    if (events_[static_cast<std::size_t>(i)].data.ptr == &t) events_[static_cast<std::size_t>(i)].data.ptr = nullptr;
}

void poller::wait() {
  auto go_on = [self = shared_from_this()](error_code const& ec) {
    if (ec || !self->epoll_.is_open()) return;
    self->dispatch();
    if (self->epoll_.is_open()) self->wait();
  };
  epoll_.async_wait(asio::posix::stream_descriptor::wait_read,
                    asio::bind_allocator(reserved_allocator<void>{waiting_}, std::move(go_on)));
}

void poller::dispatch() {
  for (int round = 0; round < rounds_max && epoll_.is_open(); ++round) {
    count_ = ::epoll_wait(epoll_.native_handle(), events_.data(), static_cast<int>(events_.size()), 0);
    for (current_ = 0; current_ < count_; ++current_) {
      auto const& event = events_[static_cast<std::size_t>(current_)];
      if (event.data.ptr != nullptr) static_cast<target*>(event.data.ptr)->on_ready(event.events);
    }
    // After a single event there is seldom another one, and if there is, the next wait returns at once, as after a
    // signal.
    if (count_ <= 1) break;
  }
  count_ = 0;
}

}  // namespace petstore::server::net
