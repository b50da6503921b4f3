// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "run/serve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <csignal>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "admin/admin_pages.hpp"
#include "admin/metrics_text.hpp"
#include "admin/openmetrics.hpp"
#include "admin/process_figures.hpp"
#include "admin/wired_console.hpp"
#include "config/values.hpp"
#include "log/event_severity.hpp"
#include "log/json_log.hpp"
#include "pages/documentation.hpp"
#include "petstore/asio/as_result.hpp"
#include "petstore/ports/open_error.hpp"
#include "petstore/server/application.hpp"
#include "run/certificates.hpp"
#include "run/configuration.hpp"
#include "run/demo.hpp"
#include "run/parts.hpp"
#include "run/passed_sockets.hpp"
#include "run/quota_backend.hpp"
#include "run/service_manager.hpp"
#include "run/stop_signals.hpp"
#include "run/token_file.hpp"
#include "run/unused_memory.hpp"
#include "run/usage_collector.hpp"
#include "run/watchdog.hpp"
#include "run/webhook.hpp"
#include "run/webhook_receiver.hpp"
#include "run/webhook_secret.hpp"
#include "store/await.hpp"
#include "store/open_store.hpp"
#include "store/value_or_fail.hpp"
#include "version.hpp"

namespace petstore::program {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using server::severity;

/// The admin listener has connections of its own, so that a full public listener can still be watched.
constexpr std::size_t admin_connections_max = 64;
/// The limits of the admin listener. A probe sends its request as soon as it has a connection. So when the listener is
/// full, a new connection replaces at once the one that has waited longest for its client, and no client keeps a
/// connection for long by sending slowly.
server::connection_limits admin_limits(server::connection_limits limits) {
  limits.header_timeout = std::min<std::chrono::milliseconds>(limits.header_timeout, 2s);
  limits.crowded_timeout = 0ms;
  return limits;
}
constexpr auto admin_stop_timeout = 1s;
/// The time after the drain to write the quotas and close the store on a slow disk.
constexpr auto stop_margin = 10s;
/// The same after a drain that has failed. It is shorter, since whatever hangs may keep the quotas and the store from
/// closing, too.
constexpr auto failed_stop_margin = 2s;
constexpr auto look_interval = 1s;
constexpr auto usage_interval = 1min;

/// Probes and scrapes come every few seconds and say nothing about clients: they have no access log.
void unwritten_access_log(server::access_record const&) {}

unix_ms unix_now() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

/// Opens the log. A log cannot be moved; the return value is constructed in its place.
json_log open_log(loaded_settings const& loaded) {
  try {
    return json_log(loaded.values.log);
  } catch (log_file_error const& failure) {
    throw_fault(fmt::format("{} (from {})", failure.what(), loaded.source_of(failure.setting)),
                ports::may_pass(failure.cause));
  }
}

/// Runs a context until it is out of work or stopped. An exception from a handler is logged. It ends that handler, and
/// the task that the handler belongs to.
void run_to_the_end(asio::io_context& context, json_log& log) {
  for (;;) {
    try {
      context.run();
      return;
    } catch (std::exception const& failure) {
      log.write(severity::error, "handler_failed", failure.what(), {});
    }
  }
}

/// An application with the parts that only a program has: signals, settings, files, admin pages, the service manager.
/// The members are in the order of their dependencies. The first context belongs to the main thread. It handles
/// signals, serves the admin pages and follows the keys, so it can report on the other threads even when these are
/// overloaded. The other contexts serve.
class running_server {
 public:
  running_server(loaded_settings const& loaded, socket_purposes const& passed, std::function<loaded_settings()> reload,
                 streams out)
      : loaded_(loaded),
        passed_(passed),
        reload_(std::move(reload)),
        out_(out),
        log_(open_log(loaded)),
        certificates_(loaded, event_reporter()),
        token_file_(loaded, event_reporter()),
        webhook_secret_(loaded, event_reporter()),
        configuration_(loaded, log_, std::chrono::system_clock::now()),
        contexts_(make_contexts(loaded.values.threads)),
        main_(*contexts_.front()),
        webhook_(make_webhook()),
        open_files_max_(raise_open_files_max()),
        store_(open_store_to_serve(loaded, serving_executors(), reporter())),
        quotas_(open_quotas(loaded, reporter())),
        acceptors_(open_port("listen", loaded.values.listen, passed_.listen, loaded, serving_executors())),
        admin_acceptors_(open_port("admin-listen", loaded.values.admin_listen, passed_.admin_listen, loaded,
                                   {main_.get_executor()})),
        public_url_((certificates_.context() ? "https://" : "http://") + to_text(acceptors_.front().local_endpoint()) +
                    loaded.values.service.base_path),
        admin_url_("http://" + to_text(admin_acceptors_.front().local_endpoint())),
        documentation_(loaded.values.service.base_path),
        application_(serving_executors(), store_, {quotas_, &quotas_->source()},
                     make_application_options(loaded.values), main_.get_executor()),
        admin_api_(admin_api_parts(), console_hosts(loaded.values.admin_hosts)),
        console_(console_dependencies()),
        admin_pages_(
            *store_, application_.state(), [this](metrics_format wanted) { return metrics_page(wanted); },
            &console_.pages(), &admin_api_),
        admin_listener_(std::move(admin_acceptors_.front()), admin_pages_, admin_limits(loaded.values.connections),
                        admin_budget_, log_.log_function(), unwritten_access_log, admin_listener_options()),
        signals_(main_),
        ticker_(main_),
        usage_(
            *store_, [this] { return application_.take_usage(); }, event_reporter()),
        usage_timer_(main_),
        watchdog_(contexts_, manager_, application_.state()) {
    for (auto const& warning : loaded.warnings) log_.write(severity::warning, "configuration", warning, {});
    check_open_files(loaded.values.connections_max);
    prepare_demo();
    value_or_fail(start_application(), "the keys cannot be read");
  }

  exit_code run() {
    {
      std::vector<std::jthread> threads;
      try {
        start(threads);
        asio::post(main_, [this] { announce(); });
        run_to_the_end(main_, log_);
      } catch (...) {
        stop_contexts();
        throw;
      }
    }
    bool const quotas_are_kept = quotas_->close();
    if (drain_has_failed_) return exit_code::failed;
    if (drain_was_cut_off_) {
      log_.write(severity::warning, "stopped", "what was not finished when the drain timeout ended was cut off", {});
    } else {
      log_.write(severity::info, "stopped", "every request that was accepted is finished", {});
    }
    return quotas_are_kept ? exit_code::fine : exit_code::failed;
  }

 private:
  /// Runs the main context until the keys are read.
  result<void> start_application() {
    error why;
    std::optional<bool> is_started;
    application_.async_start(why, [&](boost::system::error_code failed) { is_started = !failed; });
    while (!is_started) main_.run_one();
    return *is_started ? result<void>{} : why;
  }

  /// Starts every thread before it accepts connections, because a thread may fail to start.
  void start(std::vector<std::jthread>& threads) {
    std::vector<asio::executor_work_guard<asio::io_context::executor_type>> until_started;
    for (auto const& context : contexts_) until_started.emplace_back(context->get_executor());
    for (std::size_t i = 1; i < contexts_.size(); ++i) {
      threads.emplace_back([this, i] { run_to_the_end(*contexts_[i], log_); });
    }
    application_.listen(std::move(acceptors_));
    admin_listener_.start();
    signals_.handle([this] { begin_to_stop("a signal"); }, [this] { reload_all(); });
    run_on_main_thread(look_after());
    run_on_main_thread(keep_usage());
    run_on_main_thread(watchdog_.run());
  }

  /// Without this, joining the threads would never end.
  void stop_contexts() {
    for (auto& context : contexts_) context->stop();
  }

  /// For the events that clients cannot cause again and again: no line of theirs is left out.
  event_report event_reporter() {
    return [&log = log_](severity how, std::string_view event, std::string_view detail) {
      log.write(how, event, detail, {});
    };
  }

  ports::report_function reporter() {
    return [log = log_.log_function()](std::string_view event, std::string_view detail) {
      log(severity_of_event(event), event, detail, {});
    };
  }

  std::shared_ptr<webhook> make_webhook() {
    auto const& address = loaded_.values.webhook;
    if (!address) return nullptr;
    auto const receiver =  // shared with the functions below
        std::make_shared<webhook_receiver>(main_.get_executor(), *address, [this] { return webhook_secret_.value(); });
    return std::make_shared<webhook>(
        main_.get_executor(), [receiver](std::string body) { return receiver->send(std::move(body)); },
        [receiver] { receiver->cut(); }, [log = log_.log_function()](auto... told) { log(told..., {}); });
  }

  std::vector<asio::any_io_executor> serving_executors() {
    std::vector<asio::any_io_executor> executors;
    for (std::size_t i = 1; i < contexts_.size(); ++i) executors.emplace_back(contexts_[i]->get_executor());
    return executors;
  }

  std::size_t thread_count() const { return contexts_.size() - 1; }

  void check_open_files(std::size_t wanted) {
    auto const max = application_.connections().max();
    if (max == wanted) return;
    log_.write(severity::warning, "few_open_files",
               fmt::format("max-connections is {}, but the process may open only {} files: {} connections are taken",
                           wanted, open_files_max_, max),
               {});
  }

  void prepare_demo() {
    if (!loaded_.values.demo) return;
    if (fill_with_samples(*store_, unix_now())) log_.write(severity::info, "demo", "the store has sample animals", {});
    demo_key_ = keep_demo_key(*store_, demo_key_file(), unix_now(),
                              [this](auto detail) { log_.write(severity::warning, "demo_key", detail, {}); });
  }

  /// Empty for a store that is not a directory of this machine.
  std::filesystem::path demo_key_file() const {
    auto const& store = *loaded_.values.store;
    return store.traits().has_directory ? store.directory / "demo-key" : std::filesystem::path{};
  }

  /// Makes the options for the start and for a reload. In a reload, the application uses only those that can change.
  server::application_options make_application_options(settings const& values) {
    server::application_options options;
    options.service = values.service;
    options.service.documentation = &documentation_.site();
    options.connections = values.connections;
    options.shares = choose_shares(values, open_files_max_);
    options.handshakes = choose_handshakes(values, options.shares);
    options.plans = values.plans;
    options.counts_usage = true;
    if (webhook_) options.on_quota_threshold = [this](auto const& event) { webhook_->offer(event); };
    options.log = log_.log_function();
    options.make_access_log = [this] { return log_.access_log_function(); };
    options.service.base_url = values.base_url.value_or(public_url_);
    options.service.staging_base_url = values.staging_base_url.value_or(public_url_);
    options.listeners.expects_proxy_header = values.expects_proxy_header;
    options.listeners.trusted_proxies = values.service.trusted_proxies;
    options.listeners.tls = certificates_.context();
    if (passed_.listen) options.listeners.sharers = thread_count();
    return options;
  }

  wired_console::dependencies console_dependencies() {
    return {main_.get_executor(),
            application_,
            *store_,
            admin_api_.keys(),
            [this] { return read_figures(); },
            [this] { return configuration_.in_force().plans; },
            token_file_.access(),
            [this] { begin_to_stop("the console"); },
            log_.log_function(),
            console_hosts(loaded_.values.admin_hosts),
            announced_url()};
  }

  /// The public address of the environment that this server is of.
  std::string announced_url() const {
    auto const& values = loaded_.values;
    bool const in_production = store_->environment() == environment::production;
    return (in_production ? values.base_url : values.staging_base_url).value_or(public_url_);
  }

  admin_api::parts admin_api_parts() {
    return {*store_,     quotas_->source(),  token_file_.access(), [this] { return configuration_.in_force().plans; },
            limits::now, log_.log_function()};
  }

  server::listener_options admin_listener_options() const {
    server::listener_options options;
    if (passed_.admin_listen) options.sharers = 1;
    return options;
  }

  /// Runs a task. run_to_the_end logs what the task throws.
  void run_on_main_thread(asio::awaitable<void> task) {
    auto const end = [](std::exception_ptr failure) {
      if (failure) std::rethrow_exception(failure);
    };
    asio::co_spawn(main_, std::move(task), end);
  }

  /// Runs in the loop that handles signals, because a reader of these lines may send a signal at once.
  void announce() {
    stop_signals::unblock();
    out_.out << "listening on " << public_url_ << "\nadmin on " << admin_url_ << '\n';
    if (!demo_key_.empty()) out_.out << "demo key " << demo_key_ << '\n';
    out_.out << std::flush;
    out_.out.clear();  // the service does not need a reader of these lines
    log_.write(severity::info, "started",
               fmt::format("version {}, {} with {} threads", program_version, public_url_, thread_count()), {});
    if (!manager_.tell("READY=1")) {
      log_.write(severity::warning, "service_manager", "the socket that NOTIFY_SOCKET names cannot be reached", {});
    }
  }

  /// SIGHUP: reads the settings, the certificate and the secrets again.
  void reload_all() {
    guard([this] { reload(); });
    guard([this] { certificates_.reload(); });
    guard([this] { token_file_.reload(); });
    guard([this] { webhook_secret_.reload(); });
  }

  /// Runs a part of the work of the main thread. What it throws is logged, and keeps no other part from running.
  template <class Part>
  void guard(Part part) {
    try {
      part();
    } catch (std::exception const& failure) {
      log_.write(severity::error, "handler_failed", failure.what(), {});
    }
  }

  /// Begins the drain; only the first call counts.
  void begin_to_stop(std::string_view who) {
    if (std::exchange(is_stopping_, true)) return;
    log_.write(severity::info, "draining", fmt::format("{} asked the server to stop", who), {});
    run_on_main_thread(drain());
  }

  server::drain_times drain_times() const {
    auto const& values = configuration_.in_force();
    return {values.drain_delay, values.drain_timeout};
  }

  asio::awaitable<void> drain() {
    tell_of_drain();
    auto const webhook_limit = std::chrono::steady_clock::now() + drain_times().delay + drain_times().timeout;
    if (webhook_) webhook_->hurry();
    auto const [failed, is_whole] = co_await application_.async_drain(drain_times(), as_result);
    if (failed) {
      give_up_drain(failed.message());
      co_return;
    }
    drain_was_cut_off_ = !is_whole;
    if (webhook_) {
      auto finishing = webhook_->finish(webhook_limit);
      co_await std::move(finishing);
    }
    has_drained_ = true;
    usage_timer_.cancel();
    store_->leave_executors();

    watchdog_.stop();
    ticker_.cancel();
    console_.close();
    co_await admin_listener_.async_stop(admin_stop_timeout);
    signals_.leave_loop();
  }

  /// Something hangs: a disk, or a thread. What does not hang is closed, for as long as the rest may take.
  void give_up_drain(std::string_view why) {
    log_.write(severity::error, "drain_failed", why, {});
    drain_has_failed_ = true;
    signals_.leave_loop();
    stop_signals::end_process_after(failed_stop_margin);
    stop_contexts();
  }

  /// Tells the service manager how long the drain may take. The manager has a time-out of its own, which must not be
  /// shorter.
  void tell_of_drain() {
    std::chrono::microseconds const longest =
        drain_times().delay + drain_times().timeout + admin_stop_timeout + stop_margin;
    manager_.tell(fmt::format("STOPPING=1\nEXTEND_TIMEOUT_USEC={}", longest.count()));
  }

  void reload() {
    if (!log_.reopen()) log_.write(severity::error, "log_not_reopened", "a log file cannot be opened anew", {});
    if (is_stopping_) return;  // contexts that have ended would keep what is posted to them
    if (auto const fresh = configuration_.read_anew(reload_, std::chrono::system_clock::now())) apply(*fresh);
  }

  void apply(settings const& fresh) {
    application_.reconfigure(make_application_options(fresh));
    admin_listener_.set_limits(admin_limits(fresh.connections));
    quotas_->set_bans(fresh.bans);
    check_open_files(fresh.connections_max);
    console_.pages().set_hosts(console_hosts(fresh.admin_hosts));
    admin_api_.set_hosts(console_hosts(fresh.admin_hosts));
  }

  /// Checks every second what the application does not check: certificates, secrets, the server of the quotas, the log,
  /// memory.
  asio::awaitable<void> look_after() {
    while (!has_drained_) {
      guard([this] { look(); });  // if it fails, the next round may succeed
      ticker_.expires_after(look_interval);
      co_await ticker_.async_wait(as_result);
    }
  }

  void look() {
    certificates_.follow(std::chrono::system_clock::now());
    token_file_.follow();
    webhook_secret_.follow();
    note_quotas();
    log_.tell_left_out(std::chrono::steady_clock::now());
    tell_lost_lines();
    unused_memory_.give_back();
  }

  /// Brings the usage of keys to the store every minute, and the rest when no thread serves any more.
  asio::awaitable<void> keep_usage() {
    for (bool is_last = false; !is_last;) {
      usage_timer_.expires_after(has_drained_ ? 0s : usage_interval);
      co_await usage_timer_.async_wait(as_result);
      is_last = has_drained_;
      auto collecting = usage_.collect();
      co_await std::move(collecting);
    }
    usage_.tell_lost();
  }

  void tell_lost_lines() {
    auto const lost = log_.dropped_lines() + log_.failed_writes();
    if (lost == std::exchange(lines_lost_, lost)) return;
    log_.write(
        severity::warning, "log_lost_lines",
        fmt::format("{} lines dropped, {} writes failed since the start", log_.dropped_lines(), log_.failed_writes()),
        {});
  }

  void note_quotas() {
    bool const is_ready = quotas_->ready();
    if (is_ready == application_.state().quotas_ready.exchange(is_ready)) return;
    log_.write(is_ready ? severity::info : severity::error, is_ready ? "quotas_ready" : "quotas_not_ready",
               is_ready ? "" : "requests are refused while Redis does not answer", {});
  }

  figures read_figures() {
    figures f;
    f.version = program_version;
    f.ready = application_.state().ready();
    f.connections = application_.connections().in_use();
    f.connections_max = application_.connections().max();
    f.threads = thread_count();
    f.writes = store_->backlog();
    f.space = store_->space();
    f.store_connections = store_->connections();
    f.keys = application_.key_count();
    f.plans = configuration_.in_force().plans;
    f.shared_quotas = quotas_->figures();
    f.mistaken_refunds = quotas_->source().mistaken_refunds();
    f.certificate = certificates_.figures();
    f.configuration = configuration_.figures();
    if (webhook_) f.webhook = webhook_->figures();
    f.log_lines_dropped = log_.dropped_lines();
    f.log_writes_failed = log_.failed_writes();
    return f;
  }

  std::string metrics_page(metrics_format wanted) {
    auto page = metrics_text(application_.metrics(), read_figures());
    return wanted == metrics_format::openmetrics ? as_openmetrics(page, application_.exemplars()) : page;
  }

  loaded_settings const& loaded_;
  socket_purposes const passed_;
  std::function<loaded_settings()> const reload_;
  streams const out_;

  json_log log_;
  certificates certificates_;
  token_file token_file_;
  webhook_secret webhook_secret_;
  configuration configuration_;
  std::vector<std::unique_ptr<asio::io_context>> contexts_;
  asio::io_context& main_;
  std::shared_ptr<webhook> const webhook_;  ///< shared with its coroutines; null: there is none
  std::size_t const open_files_max_;
  std::shared_ptr<ports::store> const store_;
  std::shared_ptr<quota_backend> const quotas_;

  // Moved to the listeners.
  std::vector<asio::ip::tcp::acceptor> acceptors_;
  std::vector<asio::ip::tcp::acceptor> admin_acceptors_;
  std::string const public_url_;
  std::string const admin_url_;
  std::string demo_key_;

  pages::documentation const documentation_;
  server::application application_;
  admin_api admin_api_;
  wired_console console_;
  admin_pages admin_pages_;
  server::connection_budget admin_budget_{admin_connections_max};
  server::listener admin_listener_;

  // Used only by the main thread.
  stop_signals signals_;
  asio::steady_timer ticker_;
  usage_collector usage_;
  asio::steady_timer usage_timer_;
  bool is_stopping_ = false;
  bool drain_was_cut_off_ = false;
  bool drain_has_failed_ = false;
  bool has_drained_ = false;
  std::uint64_t lines_lost_ = 0;
  unused_memory unused_memory_;
  service_manager const manager_ = service_manager::of_this_process();
  watchdog watchdog_;
};

}  // namespace

exit_code serve_command(loaded_settings const& loaded, std::function<loaded_settings()> reload, streams out) {
  std::signal(SIGPIPE, SIG_IGN);  // a client that is gone is an error of its write, not the end of the process
  stop_signals::block();
  auto const passed = take_passed_sockets();
  return running_server(loaded, assign_sockets(passed), std::move(reload), out).run();
}

}  // namespace petstore::program
