// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "engine/run.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include "engine/machine.hpp"
#include "report/live_metrics.hpp"

namespace petstore::load {
namespace {

namespace asio = boost::asio;
using std::chrono::nanoseconds;

/// The time before the beginning, for threads to start and sockets to be prepared.
constexpr std::chrono::milliseconds before_begin{20};
constexpr std::chrono::milliseconds heartbeat{200};
constexpr int exit_code_of_signals = 128;
constexpr std::uint64_t errors_counted_max = std::numeric_limits<std::int64_t>::max();

/// Ignores the next of these signals; the one after it ends the process.
void ignore_once(int signal) noexcept {
  struct sigaction once {};
  once.sa_handler = [](int) {};
  once.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  ::sigaction(signal, &once, nullptr);
}

bool needs_tls(run_plan const& plan) {
  return std::any_of(plan.destinations.begin(), plan.destinations.end(), [](auto const& d) { return d.to.is_tls; });
}

std::vector<target_name> names_of(run_plan const& plan) {
  std::vector<target_name> names;
  for (auto const& d : plan.destinations) names.push_back({d.to.authority, d.to.path});
  return names;
}

}  // namespace

run::run(run_plan const& plan)
    : plan_(plan),
      tls_(needs_tls(plan) ? std::make_unique<tls_settings>(plan.tls) : nullptr),
      text_(plan.played, names_of(plan), plan.keep_alive),
      errors_left_(static_cast<std::int64_t>(std::min(plan.errors.value_or(0), errors_counted_max))),
      page_(plan.live_page ? std::make_unique<live_page>(io_, *plan.live_page) : nullptr) {
  if (page_) page_->show(live_metrics({}));
}

results run::play(onlooker look) {
  started_ = utc_text(std::chrono::system_clock::now());
  begin_ = std::chrono::steady_clock::now() + before_begin;
  for (unsigned i = 0; i < plan_.threads; ++i) {
    workers_.emplace_back(worker_part{plan_, text_, tls_.get(), {i, plan_.threads}, begin_},
                          plan_.errors ? &errors_left_ : nullptr);
  }
  watch_signals();
  watch_progress(look);
  playing_ = plan_.threads;
  {
    std::vector<std::jthread> threads;
    for (auto& w : workers_) threads.emplace_back([this, &w] { play_worker(w); });
    io_.run();
  }
  if (fault_) std::rethrow_exception(fault_);
  return found();
}

void run::stop(std::string why) {
  asio::post(io_, [this, reason = std::move(why)]() mutable {
    if (stopped_by_.empty()) stopped_by_ = std::move(reason);
    for (auto& w : workers_) w.stop();
  });
}

void run::watch_signals() {
  if (interrupts_ == 0) {
    signals_.add(SIGINT);
    signals_.add(SIGTERM);
  }
  signals_.async_wait([this](boost::system::error_code ec, int number) {
    if (ec) return;
    if (++interrupts_ > 1) ::_exit(exit_code_of_signals + number);
    stop(number == SIGINT ? "Ctrl-C" : "SIGTERM");
    if (playing_ > 0) watch_signals();
  });
}

void run::watch_progress(onlooker const& look) {
  timer_.expires_after(heartbeat);
  timer_.async_wait([this, &look](boost::system::error_code ec) {
    if (ec) return;
    auto const now = status();
    if (page_) page_->show(live_metrics(now));
    if (look) look(now);
    // A handler that was ready when the last worker ended is not cancelled by that.
    if (playing_ > 0) watch_progress(look);
  });
}

void run::play_worker(worker& w) noexcept {
  std::exception_ptr fault;
  try {
    w.run();
  } catch (...) {
    fault = std::current_exception();
  }
  asio::post(io_, [this, fault] {
    if (fault && !fault_) {
      fault_ = fault;
      stop("a fault of the tool");
    }
    worker_ended();
  });
}

void run::worker_ended() {
  if (--playing_ > 0) return;
  timer_.cancel();
  signals_.cancel();
  signals_.clear();
  // Nobody waits for signals while the audit judges and reports are written. Then, too, the first one is no reason to
  // lose them, and the second one ends the process.
  if (interrupts_ == 0) ignore_once(SIGINT), ignore_once(SIGTERM);
  if (page_) io_.stop();  // visitors of the page may still be connected
}

live_status run::status() const {
  live_status now;
  auto const counted_from = begin_ + plan_.warm_up;
  auto const moment = std::chrono::steady_clock::now();
  now.warming_up = moment < counted_from;
  now.elapsed = std::max(moment - counted_from, instant::duration{});
  if (plan_.duration) now.left = std::max(*plan_.duration - now.elapsed, nanoseconds{});
  for (auto const& w : workers_) {
    auto const seen = w.seen();
    now.last.merge(seen.last);
    now.total.merge(seen.total);
    now.errors += seen.errors;
    now.withheld += seen.withheld;
  }
  return now;
}

results run::found() const {
  std::vector<recorder const*> recorders;
  std::vector<auditor const*> auditors;
  tool_facts tool;
  instant end{};
  for (auto const& w : workers_) {
    recorders.push_back(&w.figures());
    auditors.push_back(&w.audited());
    tool.threads.push_back(w.own());
    tool.waiting_most += w.waiting_most();
    tool.out_of_descriptors |= w.was_out_of_descriptors();
    end = std::max(end, w.ended());
  }
  run_facts about;
  about.started = started_;
  about.command = plan_.command;
  about.scenario = plan_.played.name;
  for (auto const& d : plan_.destinations) about.targets.push_back(d.to.url());
  about.schedule = plan_.shape.is_max ? "as fast as " + std::to_string(plan_.connections) + " connections go"
                                      : shape_text(plan_.shape);
  if (!plan_.shape.is_max) about.rate_wanted = mean_rate(plan_.shape);
  about.warm_up = plan_.warm_up;
  about.planned = plan_.duration.value_or(nanoseconds{});
  about.connections_max = static_cast<std::uint32_t>(plan_.connections);
  about.keep_alive = plan_.keep_alive;
  about.seed = plan_.seed;
  about.ended_by = ending(end);
  about.machine = machine_text();
  about.version = PETSTORE_VERSION;
  auto const counted_from = begin_ + plan_.warm_up;
  auto all = collect(std::move(about), std::move(tool), recorders, std::max(end, counted_from));
  if (plan_.played.audit.wanted) all.audit = judge(auditors, plan_.played.keys, plan_.played.audit, counted_from);
  return all;
}

std::string run::ending(instant end) const {
  if (!stopped_by_.empty()) return stopped_by_;
  if (was_ended_by_errors()) return "the stop condition errors >= " + std::to_string(*plan_.errors);
  auto const ended_alone = [](worker const& w) { return w.ended_alone(); };
  if (std::any_of(workers_.begin(), workers_.end(), ended_alone))
    return "nobody being there for " + duration_text(plan_.timeout);
  bool const time_is_over = plan_.duration && end >= begin_ + plan_.warm_up + *plan_.duration;
  return time_is_over ? "its duration" : "its number of requests";
}

}  // namespace petstore::load
