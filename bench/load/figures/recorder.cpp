// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "recorder.hpp"

#include <algorithm>

namespace petstore::load {
namespace {

constexpr std::uint16_t too_many_requests = 429;
constexpr std::chrono::seconds live_width{1};

/// Whether the time from `intended` to `done` is a wait for an answer, or a lower bound of one. A request whose
/// connection was refused at once is none, and would make the service look fast; nor is one that was never sent.
bool has_wait(answered const& a) noexcept {
  switch (a.error) {
    case error_kind::resolve:
    case error_kind::refused:
    case error_kind::unreachable:
    case error_kind::no_descriptor:
    case error_kind::unsent: return false;
    default: return true;
  }
}

/// Whether an answer took a token of a quota. Answers before the charge, and answers without a charge, did not.
bool is_admission(std::uint16_t status) noexcept {
  return status != 0 && status != too_many_requests && status != 401 && status < 500;
}

void pack(coarse_histogram& from, recorder::operation_interval& to) {
  to.longest = from.max();
  from.for_each([&](std::chrono::nanoseconds upper, std::uint64_t count) {
    to.latency.emplace_back(upper, static_cast<std::uint32_t>(count));
  });
  if (from.overflow() > 0) to.latency.emplace_back(from.max(), static_cast<std::uint32_t>(from.overflow()));
  from.clear();
}

/// Adds to the classes of an interval that has ended.
void add_late(recorder::operation_interval& to, std::chrono::nanoseconds latency) {
  auto const upper = coarse_histogram::class_end(latency);
  auto at = std::ranges::lower_bound(to.latency, upper, {}, [](auto const& c) { return c.first; });
  if (at == to.latency.end() || at->first != upper) at = to.latency.insert(at, {upper, 0});
  ++at->second;
  to.longest = std::max(to.longest, latency);
}

}  // namespace

std::chrono::milliseconds interval_for(std::chrono::nanoseconds duration) noexcept {
  if (duration < fine_intervals_until) return std::chrono::milliseconds(100);
  auto const seconds = std::chrono::ceil<std::chrono::seconds>(duration).count();
  auto const most = static_cast<std::int64_t>(intervals_max);
  return std::chrono::seconds(std::max<std::int64_t>(1, (seconds + most - 1) / most));
}

void tally::add(answered const& a) noexcept {
  bytes_out += a.bytes_out;
  bytes_in += a.bytes_in;
  if (a.status == too_many_requests) {
    ++too_many;
  } else if (a.status != 0) {
    auto const digit = a.status / 100U;
    ++classes[digit < classes.size() ? digit : 0];
  }
  if (!a.is_final) {
    ++retried;
    return;
  }
  if (a.error != error_kind::none) ++errors;
  ++(a.status == 0 ? unanswered : answers);
}

void tally::merge(tally const& other) noexcept {
  answers += other.answers;
  unanswered += other.unanswered;
  errors += other.errors;
  retried += other.retried;
  bytes_out += other.bytes_out;
  bytes_in += other.bytes_in;
  too_many += other.too_many;
  for (std::size_t i = 0; i < classes.size(); ++i) classes[i] += other.classes[i];
}

void live_interval::merge(live_interval const& other) noexcept {
  width = std::max(width, other.width);
  counted.merge(other.counted);
  latency.merge(other.latency);
}

recorder::recorder(recording about)
    : recording_(std::move(about)),
      operations_(recording_.operations.size()),
      open_(recording_.operations.size()),
      key_totals_(recording_.keys.size()),
      live_end_(recording_.begin + live_width) {
  live_.width = newest_.width = live_width;
  at(0);
}

void recorder::record(answered const& a) {
  if (a.intended < recording_.begin) return record_of_warm_up(a);
  last_done_ = std::max(last_done_, a.done);
  // Never a closed interval, even if the clock was read before its end.
  auto& now = at(std::max(index_of(a.done), intervals_.size() - 1));
  auto& operation = operations_[a.operation];
  operation.counted.add(a);
  now.operations[a.operation].counted.add(a);
  if (a.status < statuses_end) ++operation.by_status[a.status];
  untold_refusals_ += a.is_untold;
  if (a.key != no_key) record_key(now, a);
  turn_live(a.done);
  live_.counted.add(a);
  if (a.is_final) record_outcome(now, a);
}

/// The server was busy with it, so an answer that comes after the warm-up is part of what it answers a second.
void recorder::record_of_warm_up(answered const& a) {
  if (!a.is_final) return;
  ++warm_up_requests_;
  if (a.status == 0 || a.done < recording_.begin) return;
  auto& now = at(std::max(index_of(a.done), intervals_.size() - 1));
  ++now.warm_up_answers;
  now.warm_up_errors += a.error != error_kind::none;
}

void recorder::record_outcome(interval& now, answered const& a) {
  ++intervals_[std::min(index_of(a.intended), intervals_.size() - 1)].due;
  auto& operation = operations_[a.operation];
  if (a.status != 0) record_status(a);
  if (has_wait(a)) {
    operation.latency.record(a.done - a.intended);
    record_latency(a);
    if (a.sent != instant{}) {
      operation.service.record(a.done - a.sent);
      if (a.first_byte != instant{}) first_byte_.record(a.first_byte - a.sent);
    }
  }
  if (a.error != error_kind::none) {
    auto& error = errors_[static_cast<std::size_t>(a.error)];
    if (error.count++ == 0) error.example = a.what;
    ++now.errors[static_cast<std::size_t>(a.error)];
  }
}

/// In the interval in which the request was due.
void recorder::record_latency(answered const& a) {
  auto const latency = a.done - a.intended;
  auto const due = std::min(index_of(a.intended), intervals_.size() - 1);
  if (due + 1 == intervals_.size()) {
    open_[a.operation].record(latency);
  } else {
    add_late(intervals_[due].operations[a.operation], latency);
  }
  live_.latency.record(latency);
}

/// Ends the live second, if it is over at `now`.
void recorder::turn_live(instant now) {
  if (now < live_end_) return;
  auto const seconds_over = (now - live_end_) / live_width;
  std::swap(live_, newest_);
  live_.counted = {};
  live_.latency.clear();
  if (seconds_over > 0) newest_ = live_;  // nothing came in the last whole second
  live_end_ += live_width * (seconds_over + 1);
}

void recorder::record_status(answered const& a) {
  auto known = std::find_if(by_status_.begin(), by_status_.end(), [&](auto const& s) { return s.status == a.status; });
  if (known == by_status_.end()) {
    if (by_status_.size() == timed_statuses_max) return;
    by_status_.push_back({a.status, {}});
    known = by_status_.end() - 1;
  }
  known->latency.record(a.done - a.intended);
}

void recorder::record_withheld(instant due) {
  if (due < recording_.begin) {
    ++warm_up_requests_;
    return;
  }
  ++withheld_;
  ++at(std::max(index_of(due), intervals_.size() - 1)).due;
}

void recorder::record(opened const& connection) {
  connect_.record(connection.connect);
  if (connection.handshake.count() > 0) handshake_.record(connection.handshake);
  if (connection.done >= recording_.begin) ++at(std::max(index_of(connection.done), intervals_.size() - 1)).opened;
}

void recorder::advance(instant now) {
  if (now <= recording_.begin) return;
  at(std::max(index_of(now), intervals_.size() - 1));
  turn_live(now);
}

std::size_t recorder::index_of(instant t) const noexcept {
  return t <= recording_.begin ? 0 : static_cast<std::size_t>((t - recording_.begin) / recording_.interval);
}

/// Makes the intervals up to `index` and returns the last one, which is open. `index` is never before the open
/// interval.
recorder::interval& recorder::at(std::size_t index) {
  while (intervals_.size() <= index) {
    if (!intervals_.empty()) {
      for (std::size_t i = 0; i < open_.size(); ++i) pack(open_[i], intervals_.back().operations[i]);
    }
    auto& fresh = intervals_.emplace_back();
    fresh.operations.resize(operations_.size());
    fresh.keys.resize(std::min(recording_.keys.size(), charted_keys_max));
  }
  return intervals_.back();
}

void recorder::record_key(interval& now, answered const& a) {
  bool const admitted = is_admission(a.status);
  bool const refused = a.status == too_many_requests;
  key_totals_[a.key].admitted += admitted;
  key_totals_[a.key].refused += refused;
  if (a.key >= now.keys.size()) return;
  auto& key = now.keys[a.key];
  key.admitted += admitted;
  key.refused += refused;
  if (a.quota.remaining < 0) return;
  auto const known = std::find(resources_.begin(), resources_.end(), a.quota.resource);
  if (known == resources_.end() && resources_.size() == quotas_per_key_max) return;
  auto const index = static_cast<std::size_t>(known - resources_.begin());
  if (known == resources_.end()) resources_.emplace_back(a.quota.resource);
  auto& reading = key.quotas[index];
  reading.limit = a.quota.limit;
  if (reading.least_remaining < 0 || a.quota.remaining < reading.least_remaining)
    reading.least_remaining = a.quota.remaining;
}

}  // namespace petstore::load
