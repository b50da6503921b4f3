// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/usage_counter.hpp"

#include <bit>
#include <memory>
#include <new>
#include <utility>

namespace petstore::server {
namespace {

constexpr std::size_t index_size_at_first = 64;

}  // namespace

usage_counter::~usage_counter() {
  remove(newest_.load(std::memory_order_acquire));
}

void usage_counter::count_first(std::uint64_t key, limits::decision d, limits::wall_time now) noexcept {
  try {
    auto const day = std::chrono::floor<std::chrono::days>(now);
    if (day != day_begin_) begin_day(day);
    auto* const known = find(key);
    bump(known ? *known : add(key), d, now);
  } catch (std::bad_alloc const&) {
  }
}

/// A clock that is set back begins the day before again; its requests are added to those counted before.
void usage_counter::begin_day(std::chrono::sys_days day) {
  if (index_.empty()) grow_index();
  auto first = std::make_unique<block>();
  first->period = ++period_;
  first->day = day;
  first->older = newest_.load(std::memory_order_relaxed);
  index_.assign(index_.size(), {});
  known_ = 0;
  day_begin_ = day;
  newest_.store(first.release(), std::memory_order_release);
}

usage_counter::entry& usage_counter::add(std::uint64_t key) {
  if (2 * (known_ + 1) > index_.size()) grow_index();
  auto* in = newest_.load(std::memory_order_relaxed);
  if (in->used.load(std::memory_order_relaxed) == in->entries.size()) {
    auto more = std::make_unique<block>();
    more->period = in->period;
    more->day = in->day;
    more->older = in;
    in = more.release();
    newest_.store(in, std::memory_order_release);
  }
  auto const number = in->used.load(std::memory_order_relaxed);
  auto& fresh = in->entries[number];
  fresh.key = key;
  in->used.store(number + 1, std::memory_order_release);
  auto i = first_slot(key);
  while (index_[i].key != 0) i = (i + 1) & (index_.size() - 1);
  index_[i] = {key, &fresh};
  ++known_;
  return fresh;
}

void usage_counter::grow_index() {
  std::vector<slot> larger(index_.empty() ? index_size_at_first : 2 * index_.size());
  larger.swap(index_);
  shift_ = 64 - static_cast<unsigned>(std::countr_zero(index_.size()));
  for (auto const& s : larger) {
    if (s.key == 0) continue;
    auto i = first_slot(s.key);
    while (index_[i].key != 0) i = (i + 1) & (index_.size() - 1);
    index_[i] = s;
  }
}

void usage_counter::take(std::vector<ports::usage_of_key>& into) {
  auto* const newest = newest_.load(std::memory_order_acquire);
  block* oldest_of_day = newest;
  for (auto* b = newest; b; b = b->older) {
    take_from(*b, into);
    if (b->period == newest->period) oldest_of_day = b;
  }
  if (oldest_of_day) remove(std::exchange(oldest_of_day->older, nullptr));
}

void usage_counter::take_from(block& b, std::vector<ports::usage_of_key>& into) {
  auto const used = b.used.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < used; ++i) {
    auto& e = b.entries[i];
    auto const admitted = e.admitted.load(std::memory_order_relaxed);
    auto const refused = e.refused.load(std::memory_order_relaxed);
    auto const last_used = e.last_used.load(std::memory_order_relaxed);
    bool const is_unused = admitted == e.admitted_taken && refused == e.refused_taken && last_used == e.last_used_taken;
    if (is_unused) continue;
    limits::wall_time const last{std::chrono::nanoseconds{last_used}};
    into.push_back({.key = e.key,
                    .day = b.day,
                    .admitted = admitted - std::exchange(e.admitted_taken, admitted),
                    .refused = refused - std::exchange(e.refused_taken, refused),
                    .last_used = std::chrono::floor<std::chrono::milliseconds>(last)});
    e.last_used_taken = last_used;
  }
}

void usage_counter::remove(block* first) noexcept {
  while (first) delete std::exchange(first, first->older);
}

}  // namespace petstore::server
