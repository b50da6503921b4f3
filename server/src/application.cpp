// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/application.hpp"

#include <algorithm>
#include <atomic>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/system/system_error.hpp>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

#include "net/deadline.hpp"
#include "net/descriptor.hpp"
#include "petstore/asio/as_result.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/server/key_watcher.hpp"
#include "petstore/server/service.hpp"
#include "thread_context.hpp"

namespace petstore::server {
namespace {

using namespace std::chrono_literals;

constexpr auto store_check_interval = 1s;

std::vector<asio::any_io_executor> in_a_vector(std::initializer_list<serial_executor<>> executors) {
  std::vector<asio::any_io_executor> all;
  for (auto const& e : executors) all.push_back(e.get());
  return all;
}

asio::any_io_executor serial(asio::any_io_executor const& executor) {
  return serial_executor<>{executor}.get();
}

asio::any_io_executor first_of(std::vector<asio::any_io_executor> const& executors) {
  if (executors.empty()) throw std::invalid_argument{"an application needs at least one executor"};
  return executors.front();
}

void require(bool is_so, char const* what) {
  if (!is_so) throw std::invalid_argument{what};
}

/// Checks the options that may change while the application serves.
void check_changeable(application_options const& o, ports::quota_source const& quotas) {
  for (auto const& [name, plan] : o.plans) quotas.check(plan);
  quotas.check(o.service.anonymous);
  require(o.connections.write_timeout >= 0ms, "a write time-out is not negative");
}

void check(application_options const& o, ports::store const* store, ports::quota_source const* quotas) {
  require(store, "an application needs a store");
  require(quotas, "an application needs a source of quotas");
  std::string const& base = o.service.base_path;
  require(base.starts_with('/') && !base.ends_with('/'),
          "an application's base path starts with a slash and ends with none");
  for (auto const& m : o.mounts) {
    require(m.path.empty() || m.path.starts_with('/'), "the path of a mount starts with a slash");
    require(static_cast<bool>(m.answer), "a mount needs an answer");
  }
  check_changeable(o, *quotas);
}

/// What a host's log throws ends nothing: only its line is lost.
log_function without_exceptions(log_function log) {
  return [log = std::move(log)](severity s, std::string_view event, std::string_view detail, log_origin const& from) {
    try {
      log(s, event, detail, from);
    } catch (...) {
    }
  };
}

/// Replaces empty functions by ones that do nothing, so that the rest of the code can call them unchecked.
application_options complete(application_options o, ports::store const* store, ports::quota_source const* quotas) {
  check(o, store, quotas);
  o.service.environment = store->environment();
  if (!o.log) o.log = [](severity, std::string_view, std::string_view, log_origin const&) {};
  o.log = without_exceptions(std::move(o.log));
  if (!o.access_log) o.access_log = [](access_record const&) {};
  return o;
}

}  // namespace

/// The parts in the order of their dependencies. Shared with functions that are posted to an executor.
struct application::impl : std::enable_shared_from_this<application::impl> {
  class drain_wait;
  class starting;

  impl(std::vector<asio::any_io_executor> executors, std::shared_ptr<ports::store> s,
       std::shared_ptr<ports::quota_source> quotas, application_options o, asio::any_io_executor control_executor);

  static asio::awaitable<result<void>> start(std::shared_ptr<impl>, std::shared_ptr<std::atomic<bool>> is_open,
                                             failure_log);
  void watch();
  void note_past_use();
  void release_executors() noexcept;
  void log_connections_cut_off() const noexcept;
  static asio::awaitable<bool> drain(std::shared_ptr<impl>, drain_times);
  bool is_whole() const;
  void wake_drains();
  asio::awaitable<void> check_every_second();
  asio::awaitable<result<void>> ask_store();
  void note_readiness(result<void> const& ready);
  void run(asio::any_io_executor const&, asio::awaitable<void>, asio::cancellation_slot = {});
  void task_ended(std::exception_ptr const& failure);
  template <class Act>
  void post_to(std::size_t number, Act);
  template <class Act>
  void post_to_all(Act const&);
  clock_function clock() const { return options.clock ? options.clock : clock_function{limits::now}; }

  application_options const options;
  std::shared_ptr<shared_parts> const shared;
  readiness& state;
  asio::any_io_executor const control;
  server::metrics counters;
  key_registry keys;
  key_watcher watcher;
  ban_log bans;
  quota_watch thresholds;
  std::shared_ptr<page const> const description;
  std::vector<std::unique_ptr<thread_context>> contexts;
  std::atomic<std::size_t> next_context{0};
  std::atomic<bool> has_started{false};

  // On the control executor.
  asio::cancellation_signal watching;  ///< ends what follows the changes of keys
  std::optional<asio::steady_timer> ticker;
  std::vector<asio::steady_timer*> drains;       ///< of the waits of drains
  steady_time drain_limit = steady_time::max();  ///< when drains give up; the same for all
  std::size_t running = 0;                       ///< tasks that a drain waits for
  bool is_stopping = false;                      ///< the delay of a drain is over
  bool is_over = false;  ///< nothing is left on the executors, and nothing begins there any more
};

/// The waits of one drain, which end early when something happens.
class application::impl::drain_wait {
 public:
  explicit drain_wait(impl& of) : of_{of}, timer_{of.control} { of_.drains.push_back(&timer_); }
  ~drain_wait() { std::erase(of_.drains, &timer_); }
  drain_wait(drain_wait const&) = delete;
  drain_wait& operator=(drain_wait const&) = delete;

  template <class Fact>
  asio::awaitable<void> until(steady_time const& limit, Fact is_so) {
    while (!is_so() && std::chrono::steady_clock::now() < limit) {
      timer_.expires_at(limit);
      co_await timer_.async_wait(as_result);
    }
  }

 private:
  impl& of_;
  asio::steady_timer timer_;
};

application::impl::impl(std::vector<asio::any_io_executor> executors, std::shared_ptr<ports::store> s,
                        std::shared_ptr<ports::quota_source> q, application_options o,
                        asio::any_io_executor control_executor)
    : options{complete(std::move(o), s.get(), q.get())},
      shared{new shared_parts{std::move(s), std::move(q), options.mounts, connection_budget{options.shares},
                              handshake_budget{options.handshakes}}},
      state{shared->state},
      control{serial(control_executor ? control_executor : first_of(executors))},
      counters{executors.size(), operation_names(), options.counts_usage},
      watcher{control, *shared->store, *shared->quotas, keys, options.plans, clock(), options.log},
      bans{*shared->quotas, options.log},
      thresholds{options.on_quota_threshold, options.log},
      description{std::make_shared<page const>(make_description(options.service))},
      ticker{control} {
  common_parts const common{options, shared, description, keys, bans, thresholds};
  for (std::size_t i = 0; i < executors.size(); ++i)
    contexts.push_back(std::make_unique<thread_context>(serial(executors[i]), common, counters.shard(i)));
}

/// Counts as a task that a drain waits for, and lets the application be started again unless `succeed` was called.
class application::impl::starting {
 public:
  explicit starting(impl& of) : of_{of} { ++of_.running; }
  ~starting() {
    if (!has_succeeded_) of_.has_started = false;
    of_.task_ended({});
  }
  starting(starting const&) = delete;
  starting& operator=(starting const&) = delete;
  void succeed() noexcept { has_succeeded_ = true; }

 private:
  impl& of_;
  bool has_succeeded_ = false;
};

asio::awaitable<result<void>> application::impl::start(std::shared_ptr<impl> self,
                                                       std::shared_ptr<std::atomic<bool>> is_open, failure_log log) {
  if (self->state.draining || self->has_started.exchange(true))
    co_return error{errc::conflict, {}, "an application starts once"};
  starting now{*self};
  error why;
  auto refreshing = self->watcher.async_refresh(why, as_result);
  auto const [failed] = co_await std::move(refreshing);
  bool const is_wanted = is_open->exchange(false);
  if (!failed && is_wanted) {
    self->note_past_use();
    self->watch();
    now.succeed();
  }
  if (failed && log == failure_log::by_application) self->watcher.report(why);
  if (failed) co_return why;
  if (!is_wanted) co_return error{errc::unavailable, {}, "the start was cancelled"};
  co_return result<void>{};
}

/// A restart tells no threshold again that an earlier process of this node has told.
void application::impl::note_past_use() {
  auto const now = clock()();
  for (auto const& key : keys.current()->entries()) {
    ports::payer who;
    who.kind = ports::payer::kind::identity;
    who.account = key.account;
    who.plan = key.plan;
    thresholds.note_past(key.account, shared->quotas->observe(who, now));
  }
}

/// Called on the control executor.
void application::impl::watch() {
  if (state.draining) return;
  run(control, watcher.async_run(), watching.slot());
  try {
    run(control, check_every_second());
  } catch (...) {  // the start fails, and may be repeated
    watching.emit(asio::cancellation_type::terminal);
    throw;
  }
}

/// Releases the executors, which may be destroyed afterwards. Without a drain, tasks may still be running; they check
/// `is_over`. Called on the control executor, or when no executor runs any more.
void application::impl::release_executors() noexcept {
  is_over = true;
  state.draining = true;
  watcher.stop();
  ticker.reset();
}

/// Called for an application that is destroyed without a drain.
void application::impl::log_connections_cut_off() const noexcept {
  std::size_t const connections = shared->budget.in_use();
  if (connections == 0) return;
  try {
    options.log(severity::warning, "application_not_drained", "connections cut off: " + std::to_string(connections),
                {});
  } catch (std::bad_alloc const&) {
  }
}

asio::awaitable<void> application::impl::check_every_second() {
  while (!state.draining) {
    auto asking = ask_store();
    auto const ready = co_await std::move(asking);
    if (state.draining) break;
    try {
      note_readiness(ready);
      bans.write_ended(clock()());
    } catch (...) {  // a lack of memory, or a host's clock; the next round may succeed
    }
    ticker->expires_after(store_check_interval);
    co_await ticker->async_wait(as_result);
  }
}

/// A store that throws is not ready.
asio::awaitable<result<void>> application::impl::ask_store() {
  try {
    auto const ready = co_await shared->store->ready();
    co_return ready;
  } catch (std::exception const& e) {
    co_return error{errc::internal, {}, e.what()};
  }
}

void application::impl::note_readiness(result<void> const& ready) {
  bool const is_ready = static_cast<bool>(ready);
  if (is_ready == state.store_ready.exchange(is_ready)) return;
  std::string const cause = is_ready ? std::string{} : ready.error().cause;
  options.log(is_ready ? severity::info : severity::error, is_ready ? "store_ready" : "store_not_ready", cause, {});
}

/// Called on the control executor.
void application::impl::run(asio::any_io_executor const& where, asio::awaitable<void> task,
                            asio::cancellation_slot cancellation) {
  // The task releases the application before it reports its end: the host may destroy the executors at once then.
  auto ended = [self = shared_from_this()](std::exception_ptr failure) mutable {
    auto const on_control = self->control;
    asio::post(on_control, [self = std::move(self), failure] { self->task_ended(failure); });
  };
  asio::co_spawn(where, std::move(task), asio::bind_cancellation_slot(cancellation, std::move(ended)));
  ++running;  // a task that could not begin is not counted; `task_ended` runs in a later handler
}

void application::impl::task_ended(std::exception_ptr const& failure) {
  if (--running == 0) wake_drains();
  try {
    if (failure && code_of(failure) != asio::error::operation_aborted) std::rethrow_exception(failure);
  } catch (std::exception const& e) {
    options.log(severity::error, "task_failed", e.what(), {});
  }
}

/// Calls `act` with the thread context on its executor.
template <class Act>
void application::impl::post_to(std::size_t number, Act act) {
  thread_context& c = *contexts[number];
  asio::post(c.executor(), [self = shared_from_this(), &c, act = std::move(act)]() mutable { act(c); });
}

template <class Act>
void application::impl::post_to_all(Act const& act) {
  for (std::size_t i = 0; i < contexts.size(); ++i) post_to(i, act);
}

bool application::impl::is_whole() const {
  return std::ranges::all_of(contexts, [](auto const& c) { return c->is_whole(); });
}

void application::impl::wake_drains() {
  for (auto* timer : drains) timer->cancel();
}

/// Called on the control executor. It keeps the parts alive: the first caller may destroy the application while another
/// drain is pending. A drain with shorter times shortens the others.
asio::awaitable<bool> application::impl::drain(std::shared_ptr<impl> self, drain_times times) {
  if (self->is_over) co_return self->is_whole();
  self->state.draining = true;
  self->ticker->cancel();
  drain_wait wait{*self};
  auto const delayed = deadline_after(times.delay);
  auto delay = wait.until(delayed, [&] { return self->is_stopping; });
  co_await std::move(delay);

  auto const now = std::chrono::steady_clock::now();
  if (self->drain_limit <= now) self->drain_limit = steady_time::max();  // an earlier drain has given up
  self->drain_limit = std::min(self->drain_limit, deadline_after(times.patience, deadline_after(times.timeout, now)));
  self->is_stopping = true;
  for (auto const& c : self->contexts)
    if (!self->is_over) self->run(c->executor(), c->stop(times.timeout));
  self->watcher.stop();
  self->wake_drains();
  auto end = wait.until(self->drain_limit, [&] { return self->is_over || self->running == 0; });
  co_await std::move(end);
  if (!self->is_over && self->running != 0) throw boost::system::system_error{make_error_code(errc::unavailable)};
  if (self->is_over) co_return self->is_whole();  // its caller may destroy the application now
  self->release_executors();
  self->wake_drains();
  co_return self->is_whole();
}

application::application(std::vector<asio::any_io_executor> executors, std::shared_ptr<ports::store> store,
                         std::shared_ptr<ports::quota_source> quotas, application_options options,
                         serial_executor<> control)
    : impl_{std::make_shared<impl>(std::move(executors), std::move(store), std::move(quotas), std::move(options),
                                   control.get())} {}

application::application(std::initializer_list<serial_executor<>> executors, std::shared_ptr<ports::store> store,
                         std::shared_ptr<ports::quota_source> quotas, application_options options,
                         serial_executor<> control)
    : application{in_a_vector(executors), std::move(store), std::move(quotas), std::move(options), std::move(control)} {
}

application::~application() {
  if (impl_->is_over) return;
  impl_->release_executors();
  impl_->log_connections_cut_off();
  for (auto const& c : impl_->contexts) c->close();
}

application::executor_type application::get_executor() const noexcept {
  return impl_->control;
}

application::executor_type application::control_of(impl const& i) noexcept {
  return i.control;
}

void application::begin_start(std::shared_ptr<impl> const& i, std::shared_ptr<std::atomic<bool>> is_open,
                              failure_log log, std::function<void(result<void> const&)> done) {
  auto ended = [done = std::move(done)](std::exception_ptr const& thrown, result<void> const& started) {
    done(thrown ? result<void>{error{errc::internal, {}, code_of(thrown).message()}} : started);
  };
  asio::co_spawn(i->control, impl::start(i, std::move(is_open), log), std::move(ended));
}

void application::begin_drain(std::shared_ptr<impl> const& i, drain_times times,
                              std::function<void(boost::system::error_code, bool)> done) {
  auto ended = [done = std::move(done)](std::exception_ptr const& thrown, bool is_whole) {
    if (done) done(code_of(thrown), is_whole);
  };
  asio::co_spawn(i->control, impl::drain(i, times), std::move(ended));
}

asio::ip::tcp::endpoint application::listen(asio::ip::tcp::endpoint where) {
  std::vector<asio::any_io_executor> executors;
  for (auto const& c : impl_->contexts) executors.push_back(c->executor());
  auto acceptors = open_acceptors(where, executors);
  auto const got = acceptors.front().local_endpoint();
  listen(std::move(acceptors));
  return got;
}

void application::listen(std::vector<asio::ip::tcp::acceptor> acceptors) {
  if (acceptors.size() != impl_->contexts.size())
    throw std::invalid_argument{"an application needs an acceptor for each executor"};
  std::vector<asio::ip::tcp> protocols;  // of all, before one is handed over: an acceptor that is not open throws here
  for (auto const& a : acceptors) protocols.push_back(a.local_endpoint().protocol());
  for (std::size_t i = 0; i < acceptors.size(); ++i) {
    net::descriptor handed{acceptors[i].release()};
    impl_->post_to(i, [protocol = protocols[i], handed = std::move(handed)](thread_context& c) mutable {
      c.listen(protocol, std::move(handed));
    });
  }
}

void application::serve(asio::ip::tcp::socket socket) {
  auto const number = impl_->next_context.fetch_add(1, std::memory_order_relaxed) % impl_->contexts.size();
  auto const protocol = socket.local_endpoint().protocol();
  impl_->post_to(number, [protocol, handed = net::descriptor{socket.release()}](thread_context& c) mutable {
    c.serve(protocol, std::move(handed));
  });
}

void application::reconfigure(application_options const& fresh) {
  service_options described = impl_->options.service;
  described.costs = fresh.service.costs;
  auto const description = std::make_shared<page const>(make_description(described));
  check_changeable(fresh, *impl_->shared->quotas);
  impl_->shared->handshakes.set(fresh.handshakes);  // the last that may throw
  impl_->watcher.set_plans(fresh.plans);
  impl_->shared->budget.set(fresh.shares);
  impl_->post_to_all([connections = fresh.connections, service = fresh.service, description](thread_context& c) {
    c.reconfigure(connections, service, description);
  });
}

readiness& application::state() noexcept {
  return impl_->state;
}

metrics_reading application::metrics() const {
  return impl_->counters.collect();
}

std::vector<operation_exemplars> application::exemplars() const {
  return impl_->counters.collect_exemplars();
}

busy_keys_reading application::busy_keys() const {
  return impl_->counters.collect_keys();
}

std::vector<ports::usage_of_key> application::take_usage() {
  return impl_->counters.take_usage();
}

key_registry const& application::keys() const noexcept {
  return impl_->keys;
}

connection_budget const& application::connections() const noexcept {
  return impl_->shared->budget;
}

std::size_t application::key_count() const {
  return impl_->keys.current()->size();
}

std::vector<asio::any_io_executor> make_strands(asio::any_io_executor const& executor, std::size_t count) {
  std::vector<asio::any_io_executor> strands;
  for (std::size_t i = 0; i < count; ++i) strands.emplace_back(asio::make_strand(executor));
  return strands;
}

}  // namespace petstore::server
