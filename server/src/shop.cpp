// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/shop.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <stdexcept>
#include <utility>

#include "mounted_pages.hpp"
#include "petstore/limits/instant.hpp"
#include "petstore/server/key_watcher.hpp"

namespace petstore::server {
namespace {

using namespace std::chrono_literals;

constexpr auto no_throw = asio::as_tuple(asio::use_awaitable);
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

/// What is empty is not called, and is looked at once instead of for each line.
shop_options complete(shop_options o) {
  if (!o.log) o.log = [](severity, std::string_view, std::string_view, log_origin const&) {};
  if (!o.access_log) o.access_log = [](access_record const&) {};
  return o;
}

}  // namespace

/// The parts, in the order in which they depend on each other.
struct shop::impl {
  impl(std::vector<asio::any_io_executor> executors, ports::store& s, ports::quota_source& quotas, shop_options o,
       asio::any_io_executor watches);

  /// One lane's share of the service.
  struct lane {
    lane(impl&, std::size_t number, asio::any_io_executor);

    // On the executor.
    listener* open(asio::ip::tcp::acceptor);
    void take(asio::ip::tcp::socket);
    void set_limits(connection_limits const&);
    asio::awaitable<void> stop(std::chrono::milliseconds timeout);

    impl const& of;
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
  };

  asio::awaitable<result<void>> start();
  asio::awaitable<bool> drain(drain_times);
  asio::awaitable<void> check_store();
  void run(asio::any_io_executor const&, asio::awaitable<void>);
  void one_ended(std::exception_ptr const& failure);
  clock_function clock_of_lane() const {
    return options.clock ? options.clock : clock_function{limits::frequent_clock{}};
  }

  shop_options const options;
  ports::store& store;
  ports::quota_source& quotas;
  asio::any_io_executor const control;
  readiness state;
  server::metrics counters;
  connection_budget mutable budget;
  handshake_budget mutable handshakes;
  key_registry keys;
  key_watcher watcher;
  page const description;
  std::vector<std::unique_ptr<lane>> lanes;
  std::atomic<std::size_t> next_lane{0};

  // On the control executor.
  asio::steady_timer ticker;
  asio::steady_timer all_ended;  ///< never expires; cancelled when nothing runs any more
  std::size_t running = 0;       ///< tasks that a drain waits for
};

shop::impl::impl(std::vector<asio::any_io_executor> executors, ports::store& s, ports::quota_source& q, shop_options o,
                 asio::any_io_executor watches)
    : options{complete(std::move(o))},
      store{s},
      quotas{q},
      control{watches ? std::move(watches) : executors.at(0)},
      counters{executors.size()},
      budget{options.shares},
      handshakes{options.handshakes},
      watcher{control, s, q, keys, options.plans, options.clock ? options.clock : limits::now, options.log},
      description{make_description(options.service)},
      ticker{control},
      all_ended{control, asio::steady_timer::time_point::max()} {
  for (std::size_t i = 0; i < executors.size(); ++i) lanes.push_back(std::make_unique<lane>(*this, i, executors[i]));
}

shop::impl::lane::lane(impl& shop, std::size_t number, asio::any_io_executor e)
    : of{shop},
      executor{std::move(e)},
      counters{shop.counters.shard(number)},
      service{shop.options.service, shop.description,     shop.store,       shop.quotas,      shop.keys, counters,
              shop.state,           shop.clock_of_lane(), shop.options.log, shop.options.keys},
      pages{shop.options.mounts, service},
      handler{shop.options.mounts.empty() ? static_cast<http_handler&>(service) : pages},
      limits{shop.options.connections},
      access_log{shop.options.access_log_of_lane ? shop.options.access_log_of_lane() : shop.options.access_log} {}

/// What came before the drain reaches a busy lane after it has begun, and is served all the same. Null: too late.
listener* shop::impl::lane::open(asio::ip::tcp::acceptor acceptor) {
  if (has_stopped) return nullptr;
  listener_options intake = of.options.intake;
  intake.counters = &counters;
  intake.handshakes = &of.handshakes;
  auto& opened = listeners.emplace_back(
      std::make_unique<listener>(std::move(acceptor), handler, limits, of.budget, of.options.log, access_log, intake));
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

asio::awaitable<void> shop::impl::lane::stop(std::chrono::milliseconds timeout) {
  has_stopped = true;
  for (auto const& l : listeners) l->begin_drain();
  auto const end = std::chrono::steady_clock::now() + timeout;
  for (auto const& l : listeners) {
    auto const left =
        std::max(std::chrono::floor<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()), 0ms);
    co_await l->stop(left);
  }
  listeners.clear();
  handed_over = nullptr;
}

asio::awaitable<result<void>> shop::impl::start() {
  auto const loaded = co_await watcher.refresh();
  if (!loaded) co_return loaded.error();
  asio::post(control, [this] {
    run(control, watcher.run());
    run(control, check_store());
  });
  co_return result<void>{};
}

asio::awaitable<void> shop::impl::check_store() {
  while (!state.draining) {
    auto const ready = co_await store.ready();
    bool const is_ready = static_cast<bool>(ready);
    if (is_ready != state.store_ready.exchange(is_ready)) {
      std::string const cause = is_ready ? std::string{} : ready.error().cause;
      options.log(is_ready ? severity::info : severity::error, is_ready ? "store_ready" : "store_not_ready", cause, {});
    }
    if (state.draining) break;
    ticker.expires_after(store_check_interval);
    co_await ticker.async_wait(no_throw);
  }
}

/// On the control executor.
void shop::impl::run(asio::any_io_executor const& where, asio::awaitable<void> task) {
  ++running;
  auto const ended = [this](std::exception_ptr failure) {
    asio::post(control, [this, failure] { one_ended(failure); });
  };
  asio::co_spawn(where, std::move(task), ended);
}

void shop::impl::one_ended(std::exception_ptr const& failure) {
  if (--running == 0) all_ended.cancel();
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (std::exception const& e) {
    options.log(severity::error, "task_failed", e.what(), {});
  }
}

/// On the control executor.
asio::awaitable<bool> shop::impl::drain(drain_times times) {
  state.draining = true;
  ticker.cancel();
  for (auto const& l : lanes) {
    asio::post(l->executor, [lane = l.get()] {
      for (auto const& each : lane->listeners) each->begin_drain();
    });
  }
  asio::steady_timer delay{control, times.delay};
  co_await delay.async_wait(no_throw);

  auto const begin = std::chrono::steady_clock::now();
  for (auto const& l : lanes) run(l->executor, l->stop(times.timeout));
  watcher.stop();
  while (running != 0) co_await all_ended.async_wait(no_throw);
  co_return std::chrono::steady_clock::now() - begin < times.timeout;
}

shop::shop(std::vector<asio::any_io_executor> lanes, ports::store& store, ports::quota_source& quotas,
           shop_options options, asio::any_io_executor watches)
    : impl_{std::make_unique<impl>(std::move(lanes), store, quotas, std::move(options), std::move(watches))} {}
shop::~shop() = default;

asio::awaitable<result<void>> shop::start() {
  return impl_->start();
}

void shop::start(std::function<void(result<void>)> done) {
  auto const tell = [done = std::move(done)](std::exception_ptr failure, result<void> started) {
    if (failure) std::rethrow_exception(failure);
    done(std::move(started));
  };
  asio::co_spawn(impl_->control, impl_->start(), tell);
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
  for (std::size_t i = 0; i < acceptors.size(); ++i) {
    auto open = [lane = impl_->lanes[i].get(), acceptor = std::move(acceptors[i])]() mutable {
      lane->open(std::move(acceptor));
    };
    asio::post(impl_->lanes[i]->executor, std::move(open));
  }
}

void shop::serve(asio::ip::tcp::socket socket) {
  auto const number = impl_->next_lane.fetch_add(1, std::memory_order_relaxed) % impl_->lanes.size();
  auto const protocol = socket.local_endpoint().protocol();
  auto take = [lane = impl_->lanes[number].get(), protocol, handed = descriptor{socket.release()}]() mutable {
    boost::system::error_code failed;
    asio::ip::tcp::socket own{lane->executor};
    own.assign(protocol, handed.get(), failed);
    if (failed) return;
    handed.release();
    lane->take(std::move(own));
  };
  asio::post(impl_->lanes[number]->executor, std::move(take));
}

asio::awaitable<bool> shop::drain(drain_times times) {
  auto work = impl_->drain(times);
  return asio::co_spawn(impl_->control, std::move(work), asio::use_awaitable);
}

void shop::drain(drain_times times, std::function<void(bool)> done) {
  auto const tell = [done = std::move(done)](std::exception_ptr failure, bool is_whole) {
    if (failure) std::rethrow_exception(failure);
    done(is_whole);
  };
  asio::co_spawn(impl_->control, impl_->drain(times), tell);
}

void shop::set_plans(plan_table plans) {
  impl_->watcher.set_plans(std::move(plans));
}

void shop::set_limits(connection_limits const& limits) {
  for (auto const& l : impl_->lanes) {
    asio::post(l->executor, [lane = l.get(), limits] { lane->set_limits(limits); });
  }
}

void shop::set_shares(connection_shares shares) {
  impl_->budget.set(std::move(shares));
}

void shop::set_handshakes(handshake_shares shares) {
  impl_->handshakes.set(std::move(shares));
}

void shop::set_strangers(limits::plan const& anonymous, std::vector<std::string> const& cors_origins) {
  for (auto const& l : impl_->lanes) {
    auto change = [lane = l.get(), anonymous, cors_origins] { lane->service.set_strangers(anonymous, cors_origins); };
    asio::post(l->executor, std::move(change));
  }
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
  return impl_->budget;
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
