// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/shop.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

#include "api/mounted_pages.hpp"
#include "petstore/asio/as_result.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/server/key_watcher.hpp"
#include "petstore/server/router.hpp"

namespace petstore::server {
namespace {

using namespace std::chrono_literals;

constexpr auto store_check_interval = 1s;

/// The socket of a connection on its way to another executor.
class descriptor {
 public:
  explicit descriptor(int fd) noexcept : fd_{fd} {}
  descriptor(descriptor&& other) noexcept : fd_{std::exchange(other.fd_, -1)} {}
  ~descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const noexcept { return fd_; }
  int release() noexcept { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

asio::any_io_executor first_of(std::vector<asio::any_io_executor> const& lanes) {
  if (lanes.empty()) throw std::invalid_argument{"a shop needs at least one lane"};
  return lanes.front();
}

void check(shop_options const& o, ports::store const* store, ports::quota_source const* quotas) {
  auto const require = [](bool is_so, char const* what) {
    if (!is_so) throw std::invalid_argument{what};
  };
  require(store, "a shop needs a store");
  require(quotas, "a shop needs a source of quotas");
  std::string const& base = o.service.base_path;
  require(base.starts_with('/') && !base.ends_with('/'), "a shop's base path starts with a slash and ends with none");
  for (auto const& m : o.mounts) {
    require(m.path.empty() || m.path.starts_with('/'), "the path of a mount starts with a slash");
    require(static_cast<bool>(m.answer), "a mount needs an answer");
  }
}

/// What is empty is not called, and is looked at once instead of for each line.
shop_options complete(shop_options o, ports::store const* store, ports::quota_source const* quotas) {
  check(o, store, quotas);
  o.service.environment = store->environment();
  if (!o.log) o.log = [](severity, std::string_view, std::string_view, log_origin const&) {};
  if (!o.access_log) o.access_log = [](access_record const&) {};
  return o;
}

}  // namespace

/// What the last connections give something back to, which may be gone later than a shop that was not drained.
struct lasting_parts {
  std::shared_ptr<ports::store> const store;
  std::shared_ptr<ports::quota_source> const quotas;
  connection_budget budget;
  handshake_budget handshakes;
};

/// The parts, in the order in which they depend on each other. Shared with what is on its way to an executor.
struct shop::impl : std::enable_shared_from_this<shop::impl> {
  impl(std::vector<asio::any_io_executor> executors, std::shared_ptr<ports::store> s,
       std::shared_ptr<ports::quota_source> quotas, shop_options o, asio::any_io_executor watches);

  /// One lane's share of the service.
  struct lane {
    lane(impl&, std::size_t number, asio::any_io_executor);

    // On the executor.
    listener* open(asio::ip::tcp::acceptor);
    void take(asio::ip::tcp::socket);
    void set_limits(connection_limits const&);
    asio::awaitable<void> stop(std::chrono::milliseconds timeout);

    impl& of;
    asio::any_io_executor const executor;
    metrics_shard& counters;
    server::service service;
    mounted_pages pages;
    http_handler& handler;  ///< of the two above: who has no mounts does not pay for them
    connection_limits limits;
    access_log_function const access_log;
    std::vector<std::unique_ptr<listener>> listeners;
    listener* handed_over = nullptr;  ///< which of them has no acceptor and takes what the host accepts
    bool has_stopped = false;
    bool has_cut_off = false;  ///< a request, or it is not known
  };

  static asio::awaitable<result<void>> start(std::shared_ptr<impl>);
  void watch();
  void let_go() noexcept;
  void say_what_is_cut_off() const noexcept;
  static asio::awaitable<bool> drain(std::shared_ptr<impl>, drain_times);
  asio::awaitable<void> check_every_second();
  void run(asio::any_io_executor const&, asio::awaitable<void>);
  void one_ended(std::exception_ptr const& failure);
  template <class Act>
  void on_lane(std::size_t number, Act);
  template <class Act>
  void on_each_lane(Act const&);
  clock_function clock() const { return options.clock ? options.clock : clock_function{limits::now}; }
  clock_function clock_of_lane() const {
    return options.clock ? options.clock : clock_function{limits::frequent_clock{}};
  }

  shop_options const options;
  std::shared_ptr<lasting_parts> const lasting;
  asio::any_io_executor const control;
  readiness state;
  server::metrics counters;
  key_registry keys;
  key_watcher watcher;
  ban_log bans;
  page const description;
  std::vector<std::unique_ptr<lane>> lanes;
  std::atomic<std::size_t> next_lane{0};
  std::atomic<bool> has_started{false};

  // On the control executor.
  std::optional<asio::steady_timer> ticker;
  std::optional<asio::steady_timer> all_ended;  ///< never expires; cancelled when nothing runs any more
  std::size_t running = 0;                      ///< tasks that a drain waits for
  bool is_over = false;                         ///< nothing is left on the executors, nor begun there
};

shop::impl::impl(std::vector<asio::any_io_executor> executors, std::shared_ptr<ports::store> s,
                 std::shared_ptr<ports::quota_source> q, shop_options o, asio::any_io_executor watches)
    : options{complete(std::move(o), s.get(), q.get())},
      lasting{new lasting_parts{std::move(s), std::move(q), connection_budget{options.shares},
                                handshake_budget{options.handshakes}}},
      control{watches ? std::move(watches) : first_of(executors)},
      counters{executors.size(), operation_names},
      watcher{control, *lasting->store, *lasting->quotas, keys, options.plans, clock(), options.log},
      bans{*lasting->quotas, options.log},
      description{make_description(options.service)},
      ticker{control},
      all_ended{std::in_place, control, asio::steady_timer::time_point::max()} {
  for (std::size_t i = 0; i < executors.size(); ++i) lanes.push_back(std::make_unique<lane>(*this, i, executors[i]));
}

shop::impl::lane::lane(impl& shop, std::size_t number, asio::any_io_executor e)
    : of{shop},
      executor{std::move(e)},
      counters{shop.counters.shard(number)},
      service{
          shop.options.service, shop.description,     *shop.lasting->store, *shop.lasting->quotas, shop.keys, counters,
          shop.state,           shop.clock_of_lane(), shop.options.log,     shop.options.keys,     &shop.bans},
      pages{shop.options.mounts, service},
      handler{shop.options.mounts.empty() ? static_cast<http_handler&>(service) : pages},
      limits{shop.options.connections},
      access_log{shop.options.access_log_of_lane ? shop.options.access_log_of_lane() : shop.options.access_log} {}

/// What came before the drain reaches a busy lane after it has begun, and is served all the same. Null: too late.
listener* shop::impl::lane::open(asio::ip::tcp::acceptor acceptor) {
  if (has_stopped) return nullptr;
  listener_options intake = of.options.intake;
  intake.counters = &counters;
  intake.handshakes = &of.lasting->handshakes;
  intake.owner = of.lasting;
  auto& opened = listeners.emplace_back(std::make_unique<listener>(
      std::move(acceptor), handler, limits, of.lasting->budget, of.options.log, access_log, intake));
  opened->start();
  if (of.state.draining) opened->begin_drain();
  return opened.get();
}

void shop::impl::lane::take(asio::ip::tcp::socket socket) {
  if (!handed_over) handed_over = open(asio::ip::tcp::acceptor{executor});
  if (handed_over) handed_over->take(std::move(socket));
}

void shop::impl::lane::set_limits(connection_limits const& fresh) {
  limits = fresh;
  for (auto const& l : listeners) l->set_limits(fresh);
}

/// All at once: while one waits for a client, the others accept nothing more.
asio::awaitable<void> shop::impl::lane::stop(std::chrono::milliseconds timeout) {
  has_stopped = true;
  for (auto const& l : listeners) l->begin_drain();
  auto left = listeners.size();
  asio::steady_timer all_stopped{executor, asio::steady_timer::time_point::max()};
  auto const one_stopped = [&](std::exception_ptr const& failure, bool is_whole) {
    if (failure || !is_whole) has_cut_off = true;
    if (--left == 0) all_stopped.cancel();
  };
  for (auto const& l : listeners) {
    auto stopping = l->stop(timeout);
    asio::co_spawn(executor, std::move(stopping), one_stopped);
  }
  while (left != 0) co_await all_stopped.async_wait(as_result);
  listeners.clear();
  handed_over = nullptr;
}

asio::awaitable<result<void>> shop::impl::start(std::shared_ptr<impl> self) {
  if (self->state.draining || self->has_started.exchange(true))
    co_return error{errc::conflict, {}, "a shop starts once"};
  auto const loaded = co_await self->watcher.refresh();
  if (!loaded) {
    self->has_started = false;
    co_return loaded.error();
  }
  asio::post(self->control, [self] { self->watch(); });
  co_return result<void>{};
}

/// On the control executor.
void shop::impl::watch() {
  if (state.draining) return;
  run(control, watcher.run());
  run(control, check_every_second());
}

/// Of the executors, which may go now. What was begun there and has not ended, as it does not in a shop that was not
/// drained, finds that it is over. On the control executor, or when none runs any more.
void shop::impl::let_go() noexcept {
  is_over = true;
  state.draining = true;
  watcher.stop();
  ticker.reset();
  all_ended.reset();
}

/// Of a shop that goes without a drain.
void shop::impl::say_what_is_cut_off() const noexcept {
  std::size_t const connections = lasting->budget.in_use();
  if (connections == 0) return;
  try {
    options.log(severity::warning, "shop_not_drained", "connections cut off: " + std::to_string(connections), {});
  } catch (...) {  // a host's log
  }
}

asio::awaitable<void> shop::impl::check_every_second() {
  while (!state.draining) {
    auto const ready = co_await lasting->store->ready();
    if (state.draining) break;
    bool const is_ready = static_cast<bool>(ready);
    if (is_ready != state.store_ready.exchange(is_ready)) {
      std::string const cause = is_ready ? std::string{} : ready.error().cause;
      options.log(is_ready ? severity::info : severity::error, is_ready ? "store_ready" : "store_not_ready", cause, {});
    }
    bans.write_ended(clock()());
    ticker->expires_after(store_check_interval);
    co_await ticker->async_wait(as_result);
  }
}

/// On the control executor.
void shop::impl::run(asio::any_io_executor const& where, asio::awaitable<void> task) {
  ++running;
  // It lets go before it tells: the shop may go at once then.
  auto ended = [self = shared_from_this()](std::exception_ptr failure) mutable {
    auto const watching = self->control;
    asio::post(watching, [self = std::move(self), failure] { self->one_ended(failure); });
  };
  asio::co_spawn(where, std::move(task), std::move(ended));
}

void shop::impl::one_ended(std::exception_ptr const& failure) {
  if (--running == 0 && all_ended) all_ended->cancel();
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (std::exception const& e) {
    options.log(severity::error, "task_failed", e.what(), {});
  }
}

/// On the lane's executor, soon.
template <class Act>
void shop::impl::on_lane(std::size_t number, Act act) {
  lane& l = *lanes[number];
  asio::post(l.executor, [self = shared_from_this(), &l, act = std::move(act)]() mutable { act(l); });
}

template <class Act>
void shop::impl::on_each_lane(Act const& act) {
  for (std::size_t i = 0; i < lanes.size(); ++i) on_lane(i, act);
}

/// On the control executor. It keeps the shop: who is told of the end first may let it go while another drain waits.
asio::awaitable<bool> shop::impl::drain(std::shared_ptr<impl> self, drain_times times) {
  auto const is_whole = [&self] {
    return std::ranges::none_of(self->lanes, [](auto const& l) { return l->has_cut_off; });
  };
  if (self->is_over) co_return is_whole();
  self->state.draining = true;
  self->ticker->cancel();
  self->on_each_lane([](lane& l) {
    for (auto const& each : l.listeners) each->begin_drain();
  });
  asio::steady_timer delay{self->control, times.delay};
  co_await delay.async_wait(as_result);
  if (self->is_over) co_return is_whole();  // another drain had less delay

  for (auto const& l : self->lanes) self->run(l->executor, l->stop(times.timeout));
  self->watcher.stop();
  while (self->running != 0) co_await self->all_ended->async_wait(as_result);
  self->let_go();
  co_return is_whole();
}

shop::shop(std::vector<asio::any_io_executor> lanes, std::shared_ptr<ports::store> store,
           std::shared_ptr<ports::quota_source> quotas, shop_options options, asio::any_io_executor watches)
    : impl_{std::make_shared<impl>(std::move(lanes), std::move(store), std::move(quotas), std::move(options),
                                   std::move(watches))} {}

shop::~shop() {
  if (impl_->is_over) return;
  impl_->let_go();
  impl_->say_what_is_cut_off();
  for (auto const& l : impl_->lanes) l->listeners.clear();
}

asio::awaitable<result<void>> shop::start() {
  return impl::start(impl_);
}

void shop::start(std::function<void(result<void>)> done) {
  auto const tell = [done = std::move(done)](std::exception_ptr failure, result<void> started) {
    if (failure) std::rethrow_exception(failure);
    done(std::move(started));
  };
  asio::co_spawn(impl_->control, impl::start(impl_), tell);
}

asio::ip::tcp::endpoint shop::listen(asio::ip::tcp::endpoint where) {
  std::vector<asio::any_io_executor> executors;
  for (auto const& l : impl_->lanes) executors.push_back(l->executor);
  auto acceptors = open_acceptors(where, executors);
  auto const got = acceptors.front().local_endpoint();
  listen(std::move(acceptors));
  return got;
}

void shop::listen(std::vector<asio::ip::tcp::acceptor> acceptors) {
  if (acceptors.size() != impl_->lanes.size()) throw std::invalid_argument{"a shop needs an acceptor for each lane"};
  for (std::size_t i = 0; i < acceptors.size(); ++i)
    impl_->on_lane(i, [acceptor = std::move(acceptors[i])](impl::lane& l) mutable { l.open(std::move(acceptor)); });
}

void shop::serve(asio::ip::tcp::socket socket) {
  auto const number = impl_->next_lane.fetch_add(1, std::memory_order_relaxed) % impl_->lanes.size();
  auto const protocol = socket.local_endpoint().protocol();
  impl_->on_lane(number, [protocol, handed = descriptor{socket.release()}](impl::lane& l) mutable {
    boost::system::error_code failed;
    asio::ip::tcp::socket own{l.executor};
    own.assign(protocol, handed.get(), failed);
    if (failed) return;
    handed.release();
    l.take(std::move(own));
  });
}

asio::awaitable<bool> shop::drain(drain_times times) {
  // Cancelled, it would be over for the caller and not for the lanes.
  auto work = impl::drain(impl_, times);
  auto draining = asio::co_spawn(impl_->control, std::move(work),
                                 asio::bind_cancellation_slot(asio::cancellation_slot{}, asio::use_awaitable));
  co_return co_await std::move(draining);
}

void shop::drain(drain_times times, std::function<void(bool)> done) {
  auto const tell = [done = std::move(done)](std::exception_ptr failure, bool is_whole) {
    if (failure) std::rethrow_exception(failure);
    done(is_whole);
  };
  asio::co_spawn(impl_->control, impl::drain(impl_, times), tell);
}

void shop::set_plans(plan_table plans) {
  impl_->watcher.set_plans(std::move(plans));
}

void shop::set_limits(connection_limits const& limits) {
  impl_->on_each_lane([limits](impl::lane& l) { l.set_limits(limits); });
}

void shop::set_shares(connection_shares shares) {
  impl_->lasting->budget.set(std::move(shares));
}

void shop::set_handshakes(handshake_shares shares) {
  impl_->lasting->handshakes.set(std::move(shares));
}

void shop::set_anonymous(limits::plan const& anonymous, std::vector<std::string> const& cors_origins) {
  impl_->on_each_lane([anonymous, cors_origins](impl::lane& l) { l.service.set_anonymous(anonymous, cors_origins); });
}

readiness& shop::state() noexcept {
  return impl_->state;
}

metrics_reading shop::metrics() const {
  return impl_->counters.collect();
}

busy_keys_reading shop::busy_keys() const {
  return impl_->counters.collect_keys();
}

key_registry const& shop::keys() const noexcept {
  return impl_->keys;
}

connection_budget const& shop::connections() const noexcept {
  return impl_->lasting->budget;
}

std::size_t shop::key_count() const {
  return impl_->keys.current()->size();
}

std::vector<asio::any_io_executor> make_lanes(asio::any_io_executor const& executor, std::size_t count) {
  std::vector<asio::any_io_executor> lanes;
  for (std::size_t i = 0; i < count; ++i) lanes.emplace_back(asio::make_strand(executor));
  return lanes;
}

}  // namespace petstore::server
