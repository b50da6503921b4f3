// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/listener.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/intrusive/list.hpp>
#include <exception>
#include <string>
#include <utility>

#include "io/asio_connection.hpp"
#include "io/polled_connection.hpp"
#include "io/turned_away.hpp"

namespace petstore::server {
namespace {

using boost::system::error_code;
using namespace std::chrono_literals;

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

/// After a failed accept that another try would not mend.
constexpr auto accept_pause = 100ms;
/// Of the connections that get a 503 because there are too many, this many are also waited for until they took it.
constexpr std::size_t turning_away_max = 64;

/// Deadlines are noticed at most this late, or a quarter of the shortest time-out.
constexpr std::chrono::milliseconds sweep_interval_max = 250ms;
constexpr std::chrono::milliseconds sweep_interval_min = 5ms;

std::chrono::milliseconds choose_sweep_interval(connection_limits const& l) {
  auto const shortest = std::min({l.header_timeout, l.request_timeout, l.idle_timeout, l.write_timeout});
  return std::clamp(shortest / 4, sweep_interval_min, sweep_interval_max);
}

/// A descriptor held back for the moment when there are none left: without it, the connections in the queue could
/// neither be taken nor refused, and accepting would fail again at once, for ever.
class spare_descriptor {
 public:
  spare_descriptor() noexcept { take(); }
  ~spare_descriptor() { release(); }
  spare_descriptor(spare_descriptor const&) = delete;
  spare_descriptor& operator=(spare_descriptor const&) = delete;

  void take() noexcept { fd_ = ::open("/dev/null", O_RDONLY | O_CLOEXEC); }
  void release() noexcept {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  bool is_held() const noexcept { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

}  // namespace

bool connection_budget::take() noexcept {
  if (in_use_.fetch_add(1, std::memory_order_relaxed) < max_) return true;
  in_use_.fetch_sub(1, std::memory_order_relaxed);
  return false;
}

void connection_budget::give_back() noexcept {
  in_use_.fetch_sub(1, std::memory_order_relaxed);
}

/// Shared by the listener and its coroutines, which may still be suspended when the listener goes without having been
/// stopped.
struct listener::impl : std::enable_shared_from_this<listener::impl> {
  impl(asio::ip::tcp::acceptor a, http_handler& handler, connection_limits const& limits, connection_budget& b,
       log_function log, access_log_function access_log, socket_io how)
      : acceptor{std::move(a)},
        address{acceptor.local_endpoint()},
        budget{b},
        host{handler, limits, std::move(log), std::move(access_log), {}, {}, {}, {}, {}},
        tick{acceptor.get_executor()},
        pause{acceptor.get_executor()},
        done{acceptor.get_executor(), steady_time::max()} {
    if (how == socket_io::polled) sockets = std::make_shared<io::poller>(acceptor.get_executor());
  }

  static asio::awaitable<void> accept_all(std::shared_ptr<impl>);
  class connection_place;
  static asio::awaitable<void> sweep(std::shared_ptr<impl>);

  enum class descriptors : std::uint8_t { free, exhausted };
  void admit(asio::ip::tcp::socket, asio::ip::tcp::endpoint const& peer, descriptors = descriptors::free) noexcept;
  void serve(asio::ip::tcp::socket, asio::ip::tcp::endpoint const& peer, std::unique_ptr<connection_place>);
  bool accept_with_spare();
  void report_failed_accept(error_code const&);
  void accept_queue();
  void begin_finishing(std::chrono::milliseconds timeout);
  bool is_done() const noexcept { return !is_accepting && connections_held == 0; }
  void end_if_done();
  void abort_all() noexcept;
  template <class Act>
  void for_each_connection(Act);
  void report(severity s, std::string_view event, std::string_view detail) const {
    if (host.log) host.log(s, event, detail, {});
  }

  asio::ip::tcp::acceptor acceptor;
  asio::ip::tcp::endpoint const address;
  connection_budget& budget;
  session_host host;
  std::shared_ptr<io::poller> sockets;  ///< none when Asio moves the bytes
  boost::intrusive::list<io::connection, boost::intrusive::constant_time_size<false>> connections;
  std::size_t connections_held = 0;
  std::size_t turning_away = 0;
  spare_descriptor spare;
  asio::steady_timer tick;
  asio::steady_timer pause;
  asio::steady_timer done;  ///< never expires; cancelled when the last session is gone
  bool is_accepting = false;
  steady_time break_off_at = steady_time::max();
  steady_time next_report;
};

listener::listener(asio::ip::tcp::acceptor acceptor, http_handler& handler, connection_limits const& limits,
                   connection_budget& budget, log_function log, access_log_function access_log, socket_io how)
    : impl_{std::make_shared<impl>(std::move(acceptor), handler, limits, budget, std::move(log), std::move(access_log),
                                   how)} {}

listener::~listener() {
  impl_->begin_finishing(0ms);
  impl_->abort_all();
}

void listener::start() {
  auto const executor = impl_->acceptor.get_executor();
  impl_->is_accepting = true;
  if (impl_->sockets) impl_->sockets->start();
  auto accepting = impl::accept_all(impl_);
  asio::co_spawn(executor, std::move(accepting), asio::detached);
  auto sweeping = impl::sweep(impl_);
  asio::co_spawn(executor, std::move(sweeping), asio::detached);
}

void listener::begin_drain() {
  impl_->host.closing = true;
}

asio::awaitable<void> listener::stop(std::chrono::milliseconds timeout) {
  auto const self = impl_;
  if (self->is_accepting) self->accept_queue();
  self->begin_finishing(timeout);
  if (!self->is_done()) co_await self->done.async_wait(as_result);
}

asio::ip::tcp::endpoint listener::local_endpoint() const {
  return impl_->address;
}

std::size_t listener::session_count() const noexcept {
  return impl_->connections_held;
}

asio::awaitable<void> listener::impl::accept_all(std::shared_ptr<impl> self) {
  auto& acceptor = self->acceptor;
  while (acceptor.is_open()) {
    asio::ip::tcp::endpoint peer;
    auto const executor = acceptor.get_executor();
    auto [ec, socket] = co_await acceptor.async_accept(executor, peer, as_result);
    if (!ec) {
      self->admit(std::move(socket), peer);
      continue;
    }
    if (ec == asio::error::operation_aborted) break;
    bool const is_out_of_descriptors =
        ec == boost::system::errc::too_many_files_open || ec == boost::system::errc::too_many_files_open_in_system;
    self->report_failed_accept(ec);
    if (is_out_of_descriptors && self->accept_with_spare()) {
      // accept fails for want of a descriptor even while no connection waits, and would fail again at once.
      co_await acceptor.async_wait(asio::ip::tcp::acceptor::wait_read, as_result);
    } else {
      self->pause.expires_after(accept_pause);
      co_await self->pause.async_wait(as_result);
    }
  }
  self->is_accepting = false;
  self->end_if_done();
}

/// What a connection holds: its part of the budget, if there was one left, and that `stop` waits for it.
class listener::impl::connection_place final : public io::place {
 public:
  explicit connection_place(std::shared_ptr<impl> by) noexcept : by_{std::move(by)}, has_share_{by_->budget.take()} {
    ++by_->connections_held;
    if (!has_share_) ++by_->turning_away;
  }
  connection_place(connection_place const&) = delete;
  connection_place& operator=(connection_place const&) = delete;
  ~connection_place() override { give_up(); }

  bool has_share() const noexcept { return has_share_; }
  void leave() noexcept override {
    give_up();
    by_->end_if_done();
  }

 private:
  void give_up() noexcept {
    if (!std::exchange(is_held_, false)) return;
    --by_->connections_held;
    if (has_share_) {
      by_->budget.give_back();
    } else {
      --by_->turning_away;
    }
  }

  std::shared_ptr<impl> const by_;  // shared: the connection may outlive a listener that was not stopped
  bool const has_share_;
  bool is_held_ = true;
};

/// What fails here costs this connection; the ones after it must be accepted all the same.
void listener::impl::admit(asio::ip::tcp::socket socket, asio::ip::tcp::endpoint const& peer,
                           descriptors left) noexcept {
  try {
    error_code ignored;
    socket.set_option(asio::ip::tcp::no_delay(true), ignored);
    auto held = std::make_unique<connection_place>(shared_from_this());
    bool const is_crowded = !held->has_share() && turning_away > turning_away_max;
    if (is_crowded || left == descriptors::exhausted) return io::turn_away_at_once(std::move(socket), peer, host);
    serve(std::move(socket), peer, std::move(held));
  } catch (std::exception const& e) {
    report(severity::error, "connection_lost", e.what());
    end_if_done();
  }
}

void listener::impl::serve(asio::ip::tcp::socket socket, asio::ip::tcp::endpoint const& peer,
                           std::unique_ptr<connection_place> held) {
  bool const is_welcome = held->has_share();
  auto const begin = [is_welcome](session& s) { return is_welcome ? s.begin() : s.turn_away(); };
  if (sockets) {
    boost::intrusive_ptr const c{new io::polled_connection{std::move(socket), peer, host, sockets, std::move(held)}};
    auto const first = begin(c->conversation());
    connections.push_back(*c);
    c->start(first);
  } else {
    auto c = std::make_unique<io::asio_connection>(std::move(socket), peer, host);
    auto const first = begin(c->conversation());
    connections.push_back(*c);
    io::asio_connection::start(std::move(c), std::move(held), first);
  }
}

/// Takes what waits and turns it away, unless there are descriptors again by then. False when not even that is
/// possible.
bool listener::impl::accept_with_spare() {
  error_code ec;
  acceptor.non_blocking(true, ec);
  while (!ec && spare.is_held()) {
    spare.release();
    asio::ip::tcp::endpoint peer;
    asio::ip::tcp::socket socket = acceptor.accept(peer, ec);
    spare.take();
    if (ec) continue;
    admit(std::move(socket), peer, spare.is_held() ? descriptors::free : descriptors::exhausted);
    if (!spare.is_held()) spare.take();
  }
  if (!spare.is_held()) spare.take();
  return ec == boost::system::errc::operation_would_block && spare.is_held();
}

/// Once a second is enough to be noticed, and does not fill the log.
void listener::impl::report_failed_accept(error_code const& ec) {
  auto const now = std::chrono::steady_clock::now();
  if (now < next_report) return;
  next_report = now + 1s;
  report(severity::error, "accept_failed", ec.message());
}

/// What the kernel has accepted already would be reset when the acceptor closes.
void listener::impl::accept_queue() {
  error_code ec;
  acceptor.non_blocking(true, ec);
  while (!ec) {
    asio::ip::tcp::endpoint peer;
    asio::ip::tcp::socket socket = acceptor.accept(peer, ec);
    if (!ec) admit(std::move(socket), peer);
  }
}

void listener::impl::begin_finishing(std::chrono::milliseconds timeout) {
  host.closing = true;
  host.finishing = true;
  break_off_at = std::chrono::steady_clock::now() + timeout;
  error_code ignored;
  acceptor.close(ignored);
  pause.cancel();
  tick.cancel();  // the sweep looks at the time that is left at once
  for_each_connection([](io::connection& c) { c.finish(); });
  end_if_done();
}

void listener::impl::end_if_done() {
  if (!host.finishing || !is_done()) return;
  tick.cancel();
  done.cancel();
  if (sockets) sockets->stop();
}

asio::awaitable<void> listener::impl::sweep(std::shared_ptr<impl> self) {
  auto const interval = choose_sweep_interval(self->host.limits);
  while (!self->host.finishing || !self->is_done()) {
    self->tick.expires_after(interval);
    co_await self->tick.async_wait(as_result);
    auto const now = std::chrono::steady_clock::now();
    self->for_each_connection([now](io::connection& c) { c.check_deadline(now); });
    if (now >= self->break_off_at) self->abort_all();
  }
}

void listener::impl::abort_all() noexcept {
  for_each_connection([](io::connection& c) { c.abort(); });
}

/// Whatever is done to a connection may end it, and take it from the list.
template <class Act>
void listener::impl::for_each_connection(Act act) {
  for (auto next = connections.begin(); next != connections.end();) act(*next++);
}

}  // namespace petstore::server
