// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/turn_watch.hpp"

#include <sys/eventfd.h>

#include <boost/system/system_error.hpp>
#include <cerrno>
#include <utility>

namespace petstore::server::net {
namespace {

using boost::system::error_code;

descriptor open_event() {
  descriptor event{::eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK)};
  if (event.get() < 0) throw boost::system::system_error{{errno, boost::system::system_category()}, "eventfd"};
  return event;
}

}  // namespace

turn_watch::turn_watch(std::shared_ptr<poller> p, listener_state& s, open_connections const& c)
    : poller_{std::move(p)}, shared_{s}, connections_{c}, event_{open_event()} {
  if (error_code const ec = poller_->add(event_.get(), *this)) throw boost::system::system_error{ec, "epoll_ctl"};
}

turn_watch::~turn_watch() {
  poller_->remove(event_.get(), *this);
}

void turn_watch::look(steady_time now) {
  if (since_) {
    shared_.surplus.observe_at_least(now - *since_, connections_.count());
    return note_wait();
  }
  since_ = now;
  poller_->notify_again(event_.get(), *this);
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
