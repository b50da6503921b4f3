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

constexpr std::chrono::milliseconds wall_valid_for{1};

}  // namespace

instant now() noexcept {
  return {read(CLOCK_BOOTTIME), read(CLOCK_REALTIME)};
}

frequent_clock::frequent_clock() noexcept
    : frequent_clock{[]() noexcept { return read(CLOCK_BOOTTIME); }, []() noexcept { return read(CLOCK_REALTIME); }} {}

instant frequent_clock::operator()() noexcept {
  auto const boot = read_boot_();
  if (boot >= wall_read_at_ + wall_valid_for) {
    wall_read_at_ = boot;
    wall_minus_boot_ = read_wall_() - boot;
  }
  return {boot, boot + wall_minus_boot_};
}

}  // namespace petstore::limits
