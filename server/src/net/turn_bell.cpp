// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/turn_bell.hpp"

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

turn_bell::turn_bell(std::shared_ptr<poller> p, std::function<void()> heard)
    : poller_{std::move(p)}, heard_{std::move(heard)}, fd_{open_event()} {
  if (error_code const ec = poller_->add(fd_, *this)) {
    ::close(fd_);
    throw boost::system::system_error{ec, "epoll_ctl"};
  }
}

turn_bell::~turn_bell() {
  poller_->remove(fd_, *this);
  ::close(fd_);
}

void turn_bell::ring() noexcept {
  is_rung_ = true;
  poller_->notify_again(fd_, *this);
}

void turn_bell::on_ready(std::uint32_t) {
  if (std::exchange(is_rung_, false)) heard_();
}

}  // namespace petstore::server::net
