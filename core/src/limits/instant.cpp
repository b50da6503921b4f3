// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/limits/instant.hpp"

#include <ctime>

namespace petstore::limits {
namespace {

std::chrono::nanoseconds read(clockid_t clock) noexcept {
  timespec t{};
  ::clock_gettime(clock, &t);
  return std::chrono::seconds{t.tv_sec} + std::chrono::nanoseconds{t.tv_nsec};
}

wall_time read_wall() noexcept {
  return wall_time{read(CLOCK_REALTIME)};
}

constexpr std::chrono::milliseconds wall_valid_for{1};

}  // namespace

boot_time boot_clock::now() noexcept {
  return boot_time{read(CLOCK_BOOTTIME)};
}

instant now() noexcept {
  return {boot_clock::now(), read_wall()};
}

frequent_clock::frequent_clock() noexcept : frequent_clock{&boot_clock::now, &read_wall} {}

instant frequent_clock::operator()() noexcept {
  boot_time const boot = read_boot_();
  if (boot >= wall_read_at_ + wall_valid_for) {
    wall_read_at_ = boot;
    wall_minus_boot_ = instant{boot, read_wall_()}.wall_minus_boot();
  }
  return instant::of(boot, wall_minus_boot_);
}

}  // namespace petstore::limits
