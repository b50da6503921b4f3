// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "serve/serve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "commands/actor.hpp"
#include "commands/await.hpp"
#include "commands/open_store.hpp"
#include "commands/value_or_fail.hpp"
#include "config/values.hpp"
#include "logging/json_log.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/server/key_watcher.hpp"
#include "serve/admin_pages.hpp"
#include "serve/demo.hpp"
#include "serve/event_severity.hpp"
#include "serve/metrics_text.hpp"
#include "serve/parts.hpp"
#include "serve/process_figures.hpp"
#include "serve/worker.hpp"
#include "version.hpp"

namespace petstore::program {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using server::severity;

/// The admin listener has connections of its own, so that a full public listener can still be watched.
constexpr std::size_t admin_connections_max = 64;
constexpr auto admin_stop_timeout = 1s;
constexpr auto store_check_interval = 1s;
/// Files that are open beside connections: the store, logs, acceptors, event queues.
constexpr std::size_t other_files_max = 64;

auto const no_throw = asio::as_tuple(asio::use_awaitable);

unix_ms unix_now() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

/// The log cannot be moved, so it is made in its place.
json_log open_log(loaded_settings const& loaded) {
  try {
    return json_log(loaded.values.log);
  } catch (log_file_error const& failure) {
    throw config_error({fmt::format("{} (from {})", failure.what(), loaded.source_of(failure.setting))});
  }
}

/// The whole server. Members stand in the order in which they depend on each other; everything runs on contexts, whose
/// first one the main thread serves, signals and admin pages included.
class running_server {
 public:
  running_server(loaded_settings const& loaded, std::function<loaded_settings()> reload, streams out)
      : loaded_(loaded),
        reload_(std::move(reload)),
        out_(out),
        log_(open_log(loaded)),
        contexts_(make_contexts(loaded.values.threads)),
        main_(*contexts_.front()),
        metrics_(contexts_.size()),
        budget_(loaded.values.connections_max),
        store_(open_store_to_serve(loaded, reporter())),
        quotas_(open_quota(loaded, reporter())),
        watcher_(main_.get_executor(), *store_, *quotas_, keys_, loaded.values.plans, limits::now, log_.log_function()),
        options_(loaded.values.service),
        admin_pages_(*store_, readiness_, [this] { return metrics_page(); }),
        signals_(main_, SIGTERM, SIGINT, SIGHUP),
        ticker_(main_),
        stopped_(main_) {
    for (auto const& warning : loaded.warnings) log_.write(severity::warning, "configuration", warning, {});
    check_open_files();
    prepare_demo();
    load_keys();
    listen();
  }

  exit_code run() {
    {
      std::vector<std::jthread> threads;
      try {
        start(threads);
        announce();
        run_to_the_end(main_, log_);
      } catch (...) {
        for (auto& context : contexts_) context->stop();  // else the threads would be joined for ever
        throw;
      }
    }
    bool const quotas_are_kept = quotas_->close();
    if (drain_was_cut_off_) {
      log_.write(severity::warning, "stopped", "what was not finished when the drain timeout ended was cut off", {});
    } else {
      log_.write(severity::info, "stopped", "every request that was accepted is finished", {});
    }
    return quotas_are_kept ? exit_code::fine : exit_code::failed;
  }

 private:
  /// Nothing is accepted before every thread is there: one may be refused.
  void start(std::vector<std::jthread>& threads) {
    std::vector<asio::executor_work_guard<asio::io_context::executor_type>> until_started;
    for (auto const& context : contexts_) until_started.emplace_back(context->get_executor());
    for (std::size_t i = 1; i < contexts_.size(); ++i) {
      threads.emplace_back([this, i] { run_to_the_end(*contexts_[i], log_); });
    }
    for (auto& w : workers_) w->start();
    admin_listener_->start();
    await_signal();
    run_on_main_thread(check_store_and_log());
    run_on_main_thread(watcher_.run());
  }

  store_report reporter() {
    return [this](std::string_view event, std::string_view detail) {
      log_.write(severity_of_event(event), event, detail, {});
    };
  }

  void check_open_files() {
    auto const files = raise_open_files_max();
    if (files >= budget_.max() + other_files_max) return;
    log_.write(severity::warning, "few_open_files",
               fmt::format("max-connections is {}, but the process may open only {} files", budget_.max(), files), {});
  }

  void prepare_demo() {
    if (!loaded_.values.demo) return;
    if (fill_with_samples(*store_, unix_now())) log_.write(severity::info, "demo", "the store has sample animals", {});
    demo_key_ = renew_demo_key(*store_, {operating_system_user(), unix_now()});
  }

  void load_keys() { value_or_fail(await(watcher_.refresh()), "the keys cannot be read"); }

  void listen() {
    std::vector<asio::any_io_executor> executors;
    for (auto const& context : contexts_) executors.emplace_back(context->get_executor());
    auto acceptors = open_port("listen", loaded_.values.listen, loaded_, executors);
    auto admin_acceptors = open_port("admin-listen", loaded_.values.admin_listen, loaded_, {main_.get_executor()});

    public_url_ = "http://" + to_text(acceptors.front().local_endpoint()) + options_.base_path;
    admin_url_ = "http://" + to_text(admin_acceptors.front().local_endpoint());
    options_.base_url = loaded_.values.base_url.value_or(public_url_);
    options_.staging_base_url = loaded_.values.staging_base_url.value_or(public_url_);

    description_ = server::make_description(options_);

    shared_parts const parts{
        options_, description_, loaded_.values.connections, *store_, *quotas_, keys_, metrics_, readiness_,
        budget_,  log_};
    for (std::size_t i = 0; i < contexts_.size(); ++i) {
      workers_.push_back(std::make_unique<worker>(i, *contexts_[i], std::move(acceptors[i]), parts));
    }
    // Probes and scrapes come every few seconds and say nothing about clients: they have no access log.
    admin_listener_.emplace(std::move(admin_acceptors.front()), admin_pages_, loaded_.values.connections, admin_budget_,
                            log_.log_function(), [](server::access_record const&) {});
  }

  /// What a task throws is logged by run_to_the_end.
  void run_on_main_thread(asio::awaitable<void> task) {
    auto const end = [](std::exception_ptr failure) {
      if (failure) std::rethrow_exception(failure);
    };
    asio::co_spawn(main_, std::move(task), end);
  }

  void announce() {
    out_.out << "listening on " << public_url_ << "\nadmin on " << admin_url_ << '\n';
    if (!demo_key_.empty()) out_.out << "demo key " << demo_key_ << '\n';
    out_.out << std::flush;
    log_.write(severity::info, "started",
               fmt::format("version {}, {} with {} threads", program_version, public_url_, contexts_.size()), {});
  }

  void await_signal() {
    signals_.async_wait([this](boost::system::error_code failure, int signal) {
      if (failure) return;
      await_signal();  // first: whatever a reload throws, the next signal is heard
      if (signal == SIGHUP) {
        reload_plans();
      } else if (readiness_.draining) {
        std::_Exit(static_cast<int>(exit_code::failed));
      } else {
        run_on_main_thread(drain());
      }
    });
  }

  asio::awaitable<void> drain() {
    readiness_.draining = true;
    log_.write(severity::info, "draining", "a signal asked the server to stop", {});
    for (auto& w : workers_) w->begin_drain();
    asio::steady_timer delay(main_, loaded_.values.drain_delay);
    co_await delay.async_wait(no_throw);

    stopped_.expires_at(asio::steady_timer::time_point::max());
    running_workers_ = workers_.size();
    auto const begin = std::chrono::steady_clock::now();
    for (auto& w : workers_) w->stop(loaded_.values.drain_timeout, [this] { worker_stopped(); });
    co_await stopped_.async_wait(no_throw);
    drain_was_cut_off_ = std::chrono::steady_clock::now() - begin >= loaded_.values.drain_timeout;

    watcher_.stop();
    ticker_.cancel();
    co_await admin_listener_->stop(admin_stop_timeout);
    signals_.cancel();
  }

  /// On any worker's thread.
  void worker_stopped() {
    asio::post(main_, [this] {
      if (--running_workers_ == 0) stopped_.cancel();
    });
  }

  /// Plans alone: what else changed is named, since it would need a restart.
  void reload_plans() {
    if (!log_.reopen()) log_.write(severity::error, "log_not_reopened", "a log file cannot be opened anew", {});
    try {
      auto const fresh = reload_();
      watcher_.set_plans(fresh.values.plans);
      log_.write(severity::info, "plans_reloaded", fmt::format("{} plans", fresh.values.plans.size()), {});
      warn_of_other_changes(fresh);
    } catch (config_error const& wrong) {
      for (auto const& fault : wrong.faults) log_.write(severity::error, "plans_not_reloaded", fault, {});
    }
  }

  void warn_of_other_changes(loaded_settings const& fresh) {
    for (auto const& row : all_settings()) {
      auto const same_name = [&](shown_setting const& s) { return s.name == row.name; };
      auto const before = std::ranges::find_if(loaded_.shown, same_name);
      auto const after = std::ranges::find_if(fresh.shown, same_name);
      if (before->value == after->value) continue;
      log_.write(severity::warning, "restart_needed",
                 fmt::format("{} changed to `{}`, which takes effect with the next start", row.name, after->value), {});
    }
  }

  asio::awaitable<void> check_store_and_log() {
    std::uint64_t lost_before = 0;
    while (!readiness_.draining) {
      auto const ready = co_await store_->ready();
      bool const is_ready = static_cast<bool>(ready);
      if (is_ready != readiness_.store_ready.exchange(is_ready)) {
        std::string_view const cause = is_ready ? std::string_view{} : std::string_view(ready.error().cause);
        log_.write(is_ready ? severity::info : severity::error, is_ready ? "store_ready" : "store_not_ready", cause,
                   {});
      }
      log_.tell_left_out(std::chrono::steady_clock::now());
      auto const lost = log_.dropped_lines() + log_.failed_writes();
      if (lost != lost_before) {
        log_.write(severity::warning, "log_lost_lines",
                   fmt::format("{} lines dropped, {} writes failed since the start", log_.dropped_lines(),
                               log_.failed_writes()),
                   {});
      }
      lost_before = lost;
      ticker_.expires_after(store_check_interval);
      co_await ticker_.async_wait(no_throw);
    }
  }

  std::string metrics_page() {
    figures f;
    f.version = program_version;
    f.ready = readiness_.ready();
    f.connections = budget_.in_use();
    f.connections_max = budget_.max();
    f.threads = contexts_.size();
    f.keys = keys_.current()->size();
    f.log_lines_dropped = log_.dropped_lines();
    f.log_writes_failed = log_.failed_writes();
    return metrics_text(metrics_.collect(), f);
  }

  loaded_settings const& loaded_;
  std::function<loaded_settings()> const reload_;
  streams const out_;

  json_log log_;
  std::vector<std::unique_ptr<asio::io_context>> contexts_;
  asio::io_context& main_;
  server::metrics metrics_;
  server::readiness readiness_;
  server::connection_budget budget_;
  server::connection_budget admin_budget_{admin_connections_max};
  std::unique_ptr<ports::store> store_;
  std::unique_ptr<quota::local_quota> quotas_;
  key_registry keys_;
  server::key_watcher watcher_;

  server::service_options options_;
  server::page description_;
  std::string public_url_;
  std::string admin_url_;
  std::string demo_key_;
  std::vector<std::unique_ptr<worker>> workers_;
  admin_pages admin_pages_;
  std::optional<server::listener> admin_listener_;

  // The main thread's own.
  asio::signal_set signals_;
  asio::steady_timer ticker_;
  asio::steady_timer stopped_;
  std::size_t running_workers_ = 0;
  bool drain_was_cut_off_ = false;
};

}  // namespace

exit_code serve_command(loaded_settings const& loaded, std::function<loaded_settings()> reload, streams out) {
  std::signal(SIGPIPE, SIG_IGN);  // a client that is gone is an error of its write, not the end of the process
  return running_server(loaded, std::move(reload), out).run();
}

}  // namespace petstore::program
