// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/turn_timer.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <boost/system/system_error.hpp>
#include <cerrno>
#include <utility>

namespace petstore::server::net {
namespace {

using boost::system::error_code;

int open_event() {
  int const fd = ::eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
  if (fd < 0) throw boost::system::system_error{{errno, boost::system::system_category()}, "eventfd"};
  return fd;
}

}  // namespace

turn_timer::turn_timer(std::shared_ptr<poller> p, std::function<void()> expired)
    : poller_{std::move(p)}, expired_{std::move(expired)}, fd_{open_event()} {
  if (error_code const ec = poller_->add(fd_, *this)) {
    ::close(fd_);
    throw boost::system::system_error{ec, "epoll_ctl"};
  }
}

turn_timer::~turn_timer() {
  poller_->remove(fd_, *this);
  ::close(fd_);
}

void turn_timer::start() noexcept {
  is_started_ = true;
  poller_->notify_again(fd_, *this);
}

void turn_timer::on_ready(std::uint32_t) {
  if (std::exchange(is_started_, false)) expired_();
}

}  // namespace petstore::server::net
