// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/usage_counter.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <new>
#include <utility>

namespace petstore::server {
namespace {

using std::chrono::days;
using std::chrono::sys_days;

constexpr std::size_t slots_at_first = 64;

}  // namespace

usage_counter::~usage_counter() {
  remove(newest_.load(std::memory_order_acquire));
}

void usage_counter::count_first(std::uint64_t key, limits::decision d, limits::wall_time now) noexcept {
  try {
    auto const day = std::chrono::floor<days>(now);
    auto& of_day = index_of(day);
    auto* const known = of_day.find(key);
    bump(known ? *known : add(key, day, of_day), d, now);
  } catch (std::bad_alloc const&) {
  }
}

/// A clock that is set back by more than a day begins an earlier day again; its requests are added to those counted
/// before.
usage_counter::index& usage_counter::index_of(sys_days day) {
  if (day == day_begin_) return today_;
  bool const is_first = day_begin_ == limits::wall_time::max();
  if (!is_first && day_begin_ - day == days{1}) return day_before_;
  add_block(period_ + 1);
  ++period_;  // only with its block, without which `take` would remove blocks that are still in use
  bool const is_next = !is_first && day - day_begin_ == days{1};
  if (is_next) std::swap(today_, day_before_);
  if (!is_next) day_before_.clear();
  today_.clear();
  day_begin_ = day;
  return today_;
}

usage_counter::entry& usage_counter::add(std::uint64_t key, sys_days day, index& to) {
  to.reserve_one();
  auto* in = newest_.load(std::memory_order_relaxed);
  if (in->used.load(std::memory_order_relaxed) == in->entries.size()) {
    add_block(period_);
    in = newest_.load(std::memory_order_relaxed);
  }
  auto const number = in->used.load(std::memory_order_relaxed);
  auto& fresh = in->entries[number];
  fresh.key = key;
  fresh.day = day;
  in->used.store(number + 1, std::memory_order_release);
  to.add(fresh);
  return fresh;
}

void usage_counter::add_block(std::uint64_t period) {
  auto more = std::make_unique<block>();
  more->period = period;
  more->older = newest_.load(std::memory_order_relaxed);
  newest_.store(more.release(), std::memory_order_release);
}

void usage_counter::index::reserve_one() {
  if (2 * (used_ + 1) <= slots_.size()) return;
  std::vector<slot> larger(slots_.empty() ? slots_at_first : 2 * slots_.size());
  larger.swap(slots_);
  shift_ = 64 - static_cast<unsigned>(std::countr_zero(slots_.size()));
  used_ = 0;
  for (auto const& s : larger)
    if (s.key != 0) add(*s.counts);
}

void usage_counter::index::add(entry& e) noexcept {
  auto i = first_slot(e.key);
  while (slots_[i].key != 0) i = next(i);
  slots_[i] = {e.key, &e};
  ++used_;
}

void usage_counter::index::clear() noexcept {
  std::ranges::fill(slots_, slot{});
  used_ = 0;
}

void usage_counter::take(std::vector<ports::usage_of_key>& into) {
  auto* const newest = newest_.load(std::memory_order_acquire);
  block* last_kept = newest;
  for (auto* b = newest; b; b = b->older) {
    take_from(*b, into);
    if (b->period + 1 >= newest->period) last_kept = b;
  }
  if (last_kept) remove(std::exchange(last_kept->older, nullptr));
}

void usage_counter::take_from(block& b, std::vector<ports::usage_of_key>& into) {
  auto const used = b.used.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < used; ++i) {
    auto& e = b.entries[i];
    auto const admitted = e.admitted.load(std::memory_order_relaxed);
    auto const refused = e.refused.load(std::memory_order_relaxed);
    auto const last_used = e.last_used.load(std::memory_order_relaxed);
    bool const is_unused = admitted == e.admitted_taken && refused == e.refused_taken && last_used == e.last_used_taken;
    // Without a time, the first request is being counted. It is taken the next time.
    if (is_unused || last_used == 0) continue;
    limits::wall_time const last{std::chrono::nanoseconds{last_used}};
    into.push_back({.key = e.key,
                    .day = e.day,
                    .admitted = admitted - e.admitted_taken,
                    .refused = refused - e.refused_taken,
                    .last_used = std::chrono::floor<std::chrono::milliseconds>(last)});
    e.admitted_taken = admitted;
    e.refused_taken = refused;
    e.last_used_taken = last_used;
  }
}

void usage_counter::remove(block* first) noexcept {
  while (first) delete std::exchange(first, first->older);
}

}  // namespace petstore::server
