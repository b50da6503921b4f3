// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "engine/readiness.hpp"

#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <system_error>

namespace petstore::load {
namespace {

int checked(int outcome, char const* what) {
  if (outcome < 0) throw std::system_error(errno, std::generic_category(), what);
  return outcome;
}

}  // namespace

readiness::readiness() : epoll_(checked(::epoll_create1(EPOLL_CLOEXEC), "epoll_create1")), bell_(-1) {
  bell_ = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (bell_ >= 0) {
    epoll_event event{.events = EPOLLIN, .data = {.ptr = this}};
    if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, bell_, &event) == 0) return;
    ::close(bell_);
  }
  int const code = errno;
  ::close(epoll_);
  throw std::system_error(code, std::generic_category(), "eventfd");
}

readiness::~readiness() {
  ::close(bell_);
  ::close(epoll_);
}

bool readiness::add(int socket, void* who) noexcept {
  epoll_event event{.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data = {.ptr = who}};
  return ::epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event) == 0;
}

std::span<epoll_event const> readiness::wait(std::chrono::nanoseconds at_most) {
  auto const whole = std::chrono::floor<std::chrono::seconds>(std::max(at_most, std::chrono::nanoseconds{}));
  timespec const time{
      .tv_sec = whole.count(),
      .tv_nsec = std::max(at_most, std::chrono::nanoseconds{}).count() - std::chrono::nanoseconds(whole).count()};
  int const count = ::epoll_pwait2(epoll_, events_.data(), events_at_once, &time, nullptr);
  if (count < 0 && errno == EINTR) return {};
  auto end = events_.begin() + checked(count, "epoll_pwait2");
  auto const rung = std::find_if(events_.begin(), end, [this](epoll_event const& e) { return e.data.ptr == this; });
  if (rung != end) {
    std::uint64_t ignored = 0;
    [[maybe_unused]] auto const read = ::read(bell_, &ignored, sizeof ignored);
    *rung = *--end;
  }
  return {events_.begin(), end};
}

void readiness::wake() noexcept {
  std::uint64_t const one = 1;
  // It fails only if the counter of the eventfd would overflow.
  [[maybe_unused]] auto const written = ::write(bell_, &one, sizeof one);
}

}  // namespace petstore::load
