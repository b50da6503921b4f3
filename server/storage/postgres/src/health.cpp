// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "health.hpp"

#include <algorithm>
#include <utility>

namespace petstore::storage::postgres {
namespace {

/// `heard_at_` may be late by this part of the limit. The connections of all threads write it; otherwise they would
/// compete for its cache line with every answer.
constexpr int lateness_part = 10;

}  // namespace

bool health::has_heard_after(time_point then) const noexcept {
  return time_point{time_point::duration{heard_at_.load()}} > then;
}

void health::note_heard(time_point now) {
  auto const at = now.time_since_epoch().count();
  auto const lateness = time_point::duration{silence_limit_}.count() / lateness_part;
  if (at - heard_at_.load(std::memory_order_relaxed) >= lateness) heard_at_.store(at);
  if (silent_.load()) end_silence();
}

void health::note_waiting(time_point now) {
  auto const begun = now - silence_limit_;
  if (has_heard_after(begun)) return;
  {
    std::lock_guard const lock(mutex_);
    silent_.store(true);
    if (has_heard_after(begun)) {
      silent_.store(false);
      return;
    }
    cause_ = silence();
    if (std::exchange(gone_, true)) return;
  }
  report_event("store_lost", silence());
}

void health::end_silence() {
  std::vector<call_function> calls;
  {
    std::lock_guard const lock(mutex_);
    if (!silent_.exchange(false) || connected_ == 0) return;  // the answer was to a connection that the server refused
    calls = return_and_list_calls();
  }
  report_event("store_recovered", "PostgreSQL answers again");
  for (auto const& call : calls) call();
}

void health::note_lost(bool was_up, std::string_view cause) {
  {
    std::lock_guard const lock(mutex_);
    if (was_up) --connected_;
    cause_ = cause;
    if (gone_ || connected_ != 0) return;
    gone_ = true;
  }
  report_event("store_lost", cause);
}

void health::note_connected(time_point now) {
  heard_at_.store(now.time_since_epoch().count());
  std::vector<call_function> calls;
  {
    std::lock_guard const lock(mutex_);
    ++connected_;
    silent_.store(false);
    if (!gone_) return;
    calls = return_and_list_calls();
  }
  report_event("store_recovered", "PostgreSQL answers again");
  for (auto const& call : calls) call();
}

std::vector<health::call_function> health::return_and_list_calls() {
  gone_ = false;
  trying_ = nullptr;
  ++returns_;
  return list_calls();
}

std::vector<health::call_function> health::list_calls() const {
  std::vector<call_function> calls;
  for (auto const& m : members_) calls.push_back(m.call);
  return calls;
}

void health::join(void const* connection, call_function call) {
  std::lock_guard const lock(mutex_);
  members_.push_back({connection, std::move(call)});
}

void health::leave(void const* connection) {
  std::vector<call_function> calls;
  {
    std::lock_guard const lock(mutex_);
    std::erase_if(members_, [&](member const& m) { return m.connection == connection; });
    if (trying_ != connection) return;
    trying_ = nullptr;
    calls = list_calls();
  }
  for (auto const& call : calls) call();
}

bool health::take_turn(void const* connection) {
  std::lock_guard const lock(mutex_);
  if (!gone_) return true;
  if (!trying_) trying_ = connection;
  return trying_ == connection;
}

bool health::is_gone() const {
  std::lock_guard const lock(mutex_);
  return gone_;
}

void health::note_demoted(std::size_t demotions_before) {
  std::vector<call_function> calls;
  {
    std::lock_guard const lock(mutex_);
    calls = list_calls();
  }
  if (!demotions_.compare_exchange_strong(demotions_before, demotions_before + 1)) return;
  for (auto const& call : calls) call();
}

std::size_t health::returns() const {
  std::lock_guard const lock(mutex_);
  return returns_;
}

std::string health::latest_cause() const {
  std::lock_guard const lock(mutex_);
  return cause_;
}

std::string health::silence() const {
  return "PostgreSQL has not answered for " + std::to_string(silence_limit_.count()) + " ms";
}

}  // namespace petstore::storage::postgres
