// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "engine/worker.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <time.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace petstore::load {
namespace {

using std::chrono::nanoseconds;

constexpr std::size_t receive_bytes = 64 * 1024;
/// The most requests that are begun before sockets are checked again, even if more are due.
constexpr int begun_at_once = 64;
/// How long after the end requests that were due before it may still begin.
constexpr std::chrono::milliseconds late_begin_max{500};
/// The interval at which figures are published to the observer and the thread's processor time is measured.
constexpr std::chrono::seconds look_every{1};

/// This worker's share of `total`; shares differ by at most one.
template <class Number>
Number share_of(Number total, schedule::share mine) noexcept {
  return total / mine.of + (mine.index < total % mine.of ? 1 : 0);
}

nanoseconds thread_processor_time() noexcept {
  timespec used{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return std::chrono::seconds(used.tv_sec) + nanoseconds(used.tv_nsec);
}

/// Sets the timer slack to 1 ns (Linux's default is 50 us) so that waits end in time, and blocks SIGPIPE, because
/// OpenSSL writes to sockets that may be closed.
void prepare_thread() noexcept {
  ::prctl(PR_SET_TIMERSLACK, 1UL);
  sigset_t pipe;
  ::sigemptyset(&pipe);
  ::sigaddset(&pipe, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
}

recording recording_of(worker_part const& part) {
  recording about;
  about.operations = step_names(part.plan.played);
  for (auto const& key : part.plan.played.keys) about.keys.push_back(key.name);
  about.begin = part.begin + part.plan.warm_up;
  if (part.plan.duration) about.interval = interval_for(*part.plan.duration);
  return about;
}

}  // namespace

worker::worker(worker_part part, std::atomic<std::int64_t>* errors_left)
    : part_(part),
      clients_max_(std::max<std::size_t>(share_of(part.plan.connections, part.share), 1)),
      counted_from_(part.begin + part.plan.warm_up),
      end_(part.plan.duration ? std::optional(counted_from_ + *part.plan.duration) : std::nullopt),
      errors_left_(errors_left),
      now_(part.begin),
      stage_(part.text, part.plan.seed, part.share.index, part.share.of),
      idle_(part.plan.destinations.size()),
      received_(receive_bytes),
      turn_(part.share.index),
      figures_(recording_of(part)),
      auditor_(part.share.of),
      next_look_(part.begin + part.plan.warm_up % look_every),
      last_look_(part.begin) {
  if (is_closed_loop()) {
    operations_left_ = share_of(part.plan.requests.value_or(std::numeric_limits<std::uint64_t>::max()), part.share);
    return;
  }
  schedule_.emplace(part.plan.shape,
                    schedule::limits{part.plan.duration.value_or(duration_max), part.plan.warm_up, part.plan.requests},
                    part.share, part.plan.seed);
  if (auto const due = schedule_->next()) next_due_ = part.begin + *due;
}

void worker::run() {
  prepare_thread();
  while (read_clock(), now_ < part_.begin && !stop_) readiness_.wait(part_.begin - now_);
  last_look_ = now_;
  processor_time_at_look_ = thread_processor_time();
  auto const processor_time_before = processor_time_at_look_;
  auto const began = now_;

  if (is_closed_loop()) begin_closed_loop();
  while (!is_over()) {
    give_up_late();
    resume_rested();
    proceed_after_failures();
    serve_waiting();
    begin_due_operations();
    update_own_figures();
    handle_events(readiness_.wait(until_next()));
    read_clock();
  }
  cut_off();
  read_clock();
  own_.wall_time = now_ - began;
  own_.processor_time = thread_processor_time() - processor_time_before;
}

void worker::stop() noexcept {
  stop_ = true;
  readiness_.wake();
}

worker::view worker::seen() const {
  std::lock_guard const guard(seen_guard_);
  return seen_;
}

void worker::begin_closed_loop() {
  for (std::size_t i = 0; i < clients_max_; ++i) {
    auto& c = clients_.emplace_back(stage_, static_cast<std::uint16_t>(turn_++ % part_.plan.destinations.size()));
    ++busy_;
    finish_operation(c, now_);
  }
}

void worker::begin_due_operations() {
  for (int begun = 0; next_due_ && *next_due_ <= now_ && !is_ending_ && begun < begun_at_once; ++begun) {
    if (begun > 0) read_clock();
    auto const due = take_due();
    if (due >= counted_from_) figures_.record_lag(now_ - due);
    if (waiting_.empty()) {
      begin_operation(due);
    } else if (waiting_.size() < part_.plan.waiting) {
      waiting_.push_back(due);
    } else {
      record_unsent(due);
    }
    waiting_most_ = std::max<std::uint64_t>(waiting_most_, waiting_.size());
  }
}

instant worker::take_due() {
  auto const due = *next_due_;
  auto const next = schedule_->next();
  next_due_ = next ? std::optional(part_.begin + *next) : std::nullopt;
  return due;
}

void worker::begin_operation(instant due) {
  if (auto* const c = idle_client()) {
    ++busy_;
    c->actor.begin(due, c->target);
    if (c->actor.is_held()) {
      figures_.record_withheld(due);
      ++withheld_;
    }
    proceed(*c);
  } else if (part_.plan.waiting > 0) {
    waiting_.push_back(due);
  } else {
    record_unsent(due);
  }
}

/// An idle client of the next target, or a new one, or otherwise an idle client of any target.
virtual_client* worker::idle_client() {
  auto const targets = idle_.size();
  auto const mine = turn_++ % targets;
  for (std::size_t i = 0; i < targets; ++i) {
    auto& idle = idle_[(mine + i) % targets];
    if (!idle.empty()) {
      auto* const c = idle.back();
      idle.pop_back();
      return c;
    }
    if (i == 0 && clients_.size() < clients_max_)
      return &clients_.emplace_back(stage_, static_cast<std::uint16_t>(mine));
  }
  return nullptr;
}

void worker::serve_waiting() {
  while (!waiting_.empty() && !is_ending_) {
    bool const has_client = clients_.size() < clients_max_ ||
                            std::any_of(idle_.begin(), idle_.end(), [](auto const& idle) { return !idle.empty(); });
    if (!has_client) return;
    auto const due = waiting_.front();
    waiting_.pop_front();
    begin_operation(due);
  }
}

void worker::proceed_after_failures() {
  // A client that fails again at once waits for the next turn.
  for (auto left = failed_.size(); left > 0; --left) {
    auto* const c = failed_.front();
    failed_.pop_front();
    proceed(*c);
  }
}

void worker::resume_rested() {
  while (!resting_.empty() && resting_.top().until <= now_ && !is_cut_short_) {
    auto& c = *resting_.top().who;
    resting_.pop();
    if (c.current.is_retry) --retrying_;
    // What was not begun before the end of the run is not begun after it.
    if (!is_ending_ || c.current.is_retry) start(c);
  }
}

void worker::give_up_late() {
  while (auto* const c = deadlines_.first()) {
    if (c->deadline > now_) return;
    bool const has_connection = c->at == virtual_client::phase::awaiting;
    fail(*c, has_connection ? error_kind::timeout : error_kind::connect_timeout,
         has_connection ? "no complete answer in time" : "no connection in time");
  }
}

void worker::handle_events(std::span<epoll_event const> events) {
  for (auto const& event : events) {
    on_ready(*static_cast<virtual_client*>(event.data.ptr), event.events);
    // Many events at once must not delay requests that become due meanwhile.
    if (next_due_ && *next_due_ <= now_) begin_due_operations();
  }
}

bool worker::is_over() {
  if (!is_ending_) {
    bool const all_were_made = part_.plan.requests && !next_due_ && waiting_.empty() && busy_ == 0;
    // A request that was due in time but is late because of the tool is still sent, if it is not too late.
    bool const time_is_over = end_ && now_ >= *end_ && (!next_due_ || now_ >= *end_ + late_begin_max);
    bool const too_many_errors = errors_left_ != nullptr && *errors_left_ <= 0;
    if (!stop_ && !time_is_over && !all_were_made && !too_many_errors && !has_lost_all_targets()) return false;
    end_playing();
  }
  bool const is_under_way = deadlines_.first() != nullptr || (retrying_ > 0 && !is_cut_short_);
  return (!is_under_way && failed_.empty()) || now_ >= ending_until_;
}

bool worker::has_lost_all_targets() const noexcept {
  return is_closed_loop() && !end_ && unreached_since_ && now_ - *unreached_since_ >= part_.plan.timeout;
}

void worker::end_playing() {
  is_ending_ = true;
  // Requests that were due and never begun are counted, whatever ended the run.
  while (next_due_ && *next_due_ <= now_) record_unsent(take_due());
  ended_ = end_ ? std::min(now_, *end_) : now_;
  ended_alone_ = has_lost_all_targets();
  is_cut_short_ = stop_ || (errors_left_ != nullptr && *errors_left_ <= 0);
  ending_until_ =
      now_ + (is_cut_short_ ? std::min<nanoseconds>(stopped_wait_max, part_.plan.timeout) : part_.plan.timeout);
}

/// Records the requests that are left when the run is over.
void worker::cut_off() {
  is_cut_short_ = true;
  give_up_late();  // if the tool itself is late, several deadlines may have passed
  proceed_after_failures();
  while (auto* const c = deadlines_.first()) fail(*c, error_kind::unfinished, "the run ended before the answer came");
  for (; !resting_.empty(); resting_.pop())
    if (resting_.top().who->current.is_retry) record_unfinished_wait(*resting_.top().who);
  for (auto const due : waiting_) record_unsent(due);
  waiting_.clear();
  figures_.advance(std::min(now_, ended_));
  publish();
}

void worker::update_own_figures() {
  if (now_ < next_look_) return;
  // The next time is at the end of an interval of the figures, or soon after.
  while (next_look_ <= now_) next_look_ += look_every;
  auto const used = thread_processor_time();
  if (now_ - last_look_ >= look_every) {
    auto const share = std::chrono::duration<double>(used - processor_time_at_look_) / (now_ - last_look_);
    own_.busiest = std::max(own_.busiest, share);
  }
  processor_time_at_look_ = used;
  last_look_ = now_;
  figures_.advance(now_);
  publish();
}

/// Shows the figures to observers.
void worker::publish() {
  tally total;
  for (auto const& operation : figures_.operations()) total.merge(operation.counted);
  std::lock_guard const guard(seen_guard_);
  seen_ = {figures_.newest(), total, errors_, withheld_};
}

nanoseconds worker::until_next() const noexcept {
  auto next = next_look_;
  if (is_ending_) {
    next = std::min(next, ending_until_);
  } else {
    if (end_) next = std::min(next, *end_);
    if (next_due_) next = std::min(next, *next_due_);
  }
  if (!resting_.empty() && !is_cut_short_) next = std::min(next, resting_.top().until);
  if (!failed_.empty()) next = now_;
  if (auto const* const c = deadlines_.first()) next = std::min(next, c->deadline);
  return next - now_;
}

void worker::record_unsent(instant due) {
  answered a;
  a.error = error_kind::unsent;
  a.intended = due;
  a.done = now_;
  a.what = "not begun in time: all connections were busy, or this tool was";
  figures_.record(a);
  count_error(due);
}

/// What fails after the end does not say why the run ended.
void worker::count_error(instant due) noexcept {
  ++errors_;
  if (errors_left_ != nullptr && due >= counted_from_ && !is_ending_) errors_left_->fetch_sub(1);
}

}  // namespace petstore::load
