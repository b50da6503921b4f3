// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/turn_watch.hpp"

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

turn_watch::turn_watch(std::shared_ptr<poller> p, listener_state& s, open_connections const& c)
    : poller_{std::move(p)}, shared_{s}, connections_{c}, fd_{open_event()} {
  if (error_code const ec = poller_->add(fd_, *this)) {
    ::close(fd_);
    throw boost::system::system_error{ec, "epoll_ctl"};
  }
}

turn_watch::~turn_watch() {
  poller_->remove(fd_, *this);
  ::close(fd_);
}

void turn_watch::look(steady_time now) {
  if (since_) {
    shared_.surplus.observe_at_least(now - *since_, connections_.count());
    return note_wait();
  }
  since_ = now;
  poller_->notify_again(fd_, *this);
}

void turn_watch::on_ready(std::uint32_t) {
  auto const since = std::exchange(since_, std::nullopt);
  if (!since) return;
  shared_.surplus.observe(std::chrono::steady_clock::now() - *since, connections_.count());
  note_wait();
}

void turn_watch::note_wait() noexcept {
  if (shared_.counters) shared_.counters->note_turn_wait(shared_.surplus.wait());
}

}  // namespace petstore::server::net
