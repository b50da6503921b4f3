// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "petstore/server/listener.hpp"

#include <poll.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/intrusive/list.hpp>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "client_address.hpp"
#include "http/connection.hpp"
#include "io/accept_queue.hpp"
#include "io/handshakes.hpp"
#include "io/peer_address.hpp"
#include "io/socket_options.hpp"
#include "io/spare_descriptor.hpp"
#include "io/turn_bell.hpp"
#include "io/turned_away.hpp"
#include "petstore/asio/as_result.hpp"

namespace petstore::server {
namespace {

using boost::system::error_code;
using namespace std::chrono_literals;

/// After a failed accept that another try would not mend.
constexpr auto accept_pause = 100ms;
/// So many connections are taken together before those that are there get their turn. One at a time would be too few: a
/// thread that is busy takes hundreds of requests between two accepts, and who is new would hardly ever get in.
constexpr int accepted_in_turn_max = 64;
/// From a queue that threads share they are taken one at a time, and who holds more than its share leaves the others
/// this long to take them first. Else the thread that happens to be awake would take them all, and keep them.
constexpr int accepted_of_shared_max = 1;
constexpr auto precedence_of_others = 1ms;
/// And so many with a pause after them, while requests wait for long: few enough to cost hardly anything, and enough
/// that nobody is kept out for good.
constexpr int accepted_when_behind_max = 16;
/// Of the connections that get a 503 because there are too many, this many are also waited for until they took it.
constexpr std::size_t turning_away_max = 64;
/// To find one that has waited long, so many are looked at; the next time, the ones after them. Of so many, the one
/// that has waited longest is among the oldest few per cent of all.
constexpr std::size_t looked_at_max = 64;

/// Deadlines are noticed at most this late, or a quarter of the shortest time-out.
constexpr std::chrono::milliseconds sweep_interval_max = 250ms;
constexpr std::chrono::milliseconds sweep_interval_min = 5ms;

std::chrono::milliseconds choose_sweep_interval(connection_limits const& l) {
  auto const shortest = std::min({l.header_timeout, l.request_timeout, l.idle_timeout, l.write_timeout});
  return std::clamp(shortest / 4, sweep_interval_min, sweep_interval_max);
}

}  // namespace

/// Shared by the listener and its coroutines, which may still be suspended when the listener goes without having been
/// stopped.
struct listener::impl : std::enable_shared_from_this<listener::impl> {
  impl(asio::ip::tcp::acceptor a, http_handler& handler, connection_limits const& limits, connection_budget& b,
       log_function log, access_log_function access_log, listener_options const& o)
      : options{o},
        acceptor{std::move(a)},
        address{acceptor.is_open() ? acceptor.local_endpoint() : asio::ip::tcp::endpoint{}},
        waiting{acceptor, limits.accept_wait, std::chrono::steady_clock::now(), std::max<std::size_t>(1, o.sharers)},
        budget{b},
        host{handler,
             limits,
             std::move(log),
             std::move(access_log),
             {},
             {},
             {},
             {},
             {},
             shedding{limits.turn_wait, limits.connections_few},
             o.counters,
             o.expects_proxy_header},
        sockets{std::make_shared<io::poller>(acceptor.get_executor())},
        bell{sockets, [this] { turn_has_come(); }},
        tick{acceptor.get_executor()},
        pause{acceptor.get_executor()},
        done{acceptor.get_executor(), steady_time::max()} {
    if (o.tls) encryption = std::make_unique<tls::host>(o.tls->shared(), o.handshakes);
    if (acceptor.is_open()) io::prepare_socket(acceptor.native_handle(), host.limits);
  }

  static asio::awaitable<void> accept_all(std::shared_ptr<impl>);
  void accepting_has_ended();
  asio::awaitable<void> wait_for_turn();
  bool shares_queue() const noexcept { return options.sharers > 1; }
  bool holds_more_than_its_share() const noexcept { return connections_held * options.sharers > budget.in_use(); }
  class connection_place;
  static asio::awaitable<void> sweep(std::shared_ptr<impl>);
  void sweeping_has_ended();
  void check_connections(steady_time now);
  void tell_of_connections(connection_counts const&) noexcept;
  void watch_turns(steady_time now);
  void turn_has_come();
  void note_turn_wait() noexcept;

  bool may_connect(asio::ip::tcp::endpoint const& peer) const;
  enum class descriptors : std::uint8_t { free, exhausted };
  void admit(asio::ip::tcp::socket, asio::ip::tcp::endpoint const& peer, descriptors = descriptors::free) noexcept;
  connection_budget::verdict take_place(connection_budget::address const& from);
  bool make_room();
  bool accept_with_spare();
  void report_failed_accept(error_code const&);
  void accept_waiting(int at_most);
  int accepted_in_turn() const noexcept { return shares_queue() ? accepted_of_shared_max : accepted_in_turn_max; }
  void begin_finishing(std::chrono::milliseconds timeout);
  bool is_done() const noexcept { return !is_accepting && connections_held == 0; }
  void end_if_done();
  void break_off();
  void abort_all() noexcept;
  template <class Act>
  void for_each_connection(Act);
  void report(severity s, std::string_view event, std::string_view detail) const noexcept;

  listener_options const options;
  asio::ip::tcp::acceptor acceptor;
  asio::ip::tcp::endpoint const address;
  io::accept_queue waiting;
  connection_budget& budget;
  session_host host;
  std::unique_ptr<tls::host> encryption;      ///< none when connections are not encrypted
  std::shared_ptr<io::poller> const sockets;  // shared with their connections
  io::turn_bell bell;                         ///< among the sockets
  std::optional<steady_time> waits_since;     ///< what shows how long a turn is waited for
  boost::intrusive::list<io::connection, boost::intrusive::constant_time_size<false>> connections;
  std::size_t connections_held = 0;
  connection_counts told_of{};  ///< in the metrics
  std::size_t turning_away = 0;
  io::spare_descriptor spare;
  asio::steady_timer tick;
  asio::steady_timer pause;
  asio::steady_timer done;  ///< never expires; cancelled by the sweep, which is the last to end
  bool is_accepting = false;
  bool is_sweeping = false;
  bool has_cut_off = false;  ///< a request, because the time to stop was over
  steady_time break_off_at = steady_time::max();
  steady_time next_report;
};

listener::listener(asio::ip::tcp::acceptor acceptor, http_handler& handler, connection_limits const& limits,
                   connection_budget& budget, log_function log, access_log_function access_log,
                   listener_options const& options)
    : impl_{std::make_shared<impl>(std::move(acceptor), handler, limits, budget, std::move(log), std::move(access_log),
                                   options)} {}

listener::~listener() {
  impl_->begin_finishing(0ms);
  impl_->abort_all();
  // Of one that was not stopped, coroutines are left, and what is counted in may be gone before they are.
  impl_->tell_of_connections({});
  impl_->host.counters = nullptr;
}

void listener::start() {
  auto const executor = impl_->acceptor.get_executor();
  impl_->sockets->start();
  if (impl_->acceptor.is_open()) {
    impl_->is_accepting = true;
    auto accepting = impl::accept_all(impl_);
    asio::co_spawn(executor, std::move(accepting), [self = impl_](std::exception_ptr) { self->accepting_has_ended(); });
  }
  impl_->is_sweeping = true;
  auto sweeping = impl::sweep(impl_);
  asio::co_spawn(executor, std::move(sweeping), [self = impl_](std::exception_ptr) { self->sweeping_has_ended(); });
}

void listener::take(asio::ip::tcp::socket socket) {
  error_code gone;
  auto const peer = socket.remote_endpoint(gone);
  if (gone || impl_->host.finishing) return;
  io::prepare_socket(socket.native_handle(), impl_->host.limits);
  impl_->admit(std::move(socket), peer);
}

void listener::set_limits(connection_limits const& limits) {
  impl_->host.limits = limits;
  if (impl_->acceptor.is_open()) io::prepare_socket(impl_->acceptor.native_handle(), limits);
}

void listener::begin_drain() {
  impl_->host.closing = true;
}

asio::awaitable<bool> listener::stop(std::chrono::milliseconds timeout) {
  auto const self = impl_;
  bool const is_left_to_others = self->options.sharers != 0;
  if (self->is_accepting && !is_left_to_others) {
    // What the kernel has accepted already would be reset when the acceptor closes.
    self->host.closing = true;
    io::refuse_handshakes(self->acceptor);
    asio::steady_timer handshakes{self->acceptor.get_executor(), std::min(timeout, io::handshake_time_max)};
    co_await handshakes.async_wait(as_result);
    // No more than can have waited, so that the listener stops also where nothing keeps clients from connecting.
    self->accept_waiting(backlog_default);
  }
  self->begin_finishing(timeout);
  while (self->is_sweeping) co_await self->done.async_wait(as_result);
  co_return !self->has_cut_off;
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
    if (self->shares_queue()) {
      co_await self->wait_for_turn();
      if (!acceptor.is_open()) break;
    }
    asio::ip::tcp::endpoint peer;
    auto const executor = acceptor.get_executor();
    auto [ec, socket] = co_await acceptor.async_accept(executor, peer, as_result);
    if (!ec) {
      bool const has_room = self->host.surplus.has_room();
      self->admit(std::move(socket), peer);
      int const at_most = self->accepted_in_turn();
      self->accept_waiting((has_room ? at_most : std::min(at_most, accepted_when_behind_max)) - 1);
      if (has_room) continue;
      self->pause.expires_after(accept_pause);
      co_await self->pause.async_wait(as_result);
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
}

/// However that came about: for want of memory, too.
void listener::impl::accepting_has_ended() {
  if (acceptor.is_open()) report(severity::error, "accept_failed", "nothing more is accepted");
  is_accepting = false;
  end_if_done();
}

/// Until a connection waits that this thread may take: all of them are told of each, and it is theirs who hold fewer.
asio::awaitable<void> listener::impl::wait_for_turn() {
  while (acceptor.is_open()) {
    auto const [ec] = co_await acceptor.async_wait(asio::ip::tcp::acceptor::wait_read, as_result);
    if (ec || !holds_more_than_its_share()) break;
    pause.expires_after(precedence_of_others);
    co_await pause.async_wait(as_result);
    pollfd left{acceptor.native_handle(), POLLIN, 0};
    if (::poll(&left, 1, 0) > 0) break;
  }
}

/// What a connection holds: its part of the budget, if it was granted one, and that `stop` waits for it.
class listener::impl::connection_place final : public io::place {
 public:
  connection_place(std::shared_ptr<impl> by, connection_budget::address const& from)
      : by_{std::move(by)}, from_{from}, verdict_{by_->take_place(from)} {
    ++by_->connections_held;
    if (is_granted()) return;
    ++by_->turning_away;
    count_refusal(verdict_);
  }
  connection_place(connection_place const&) = delete;
  connection_place& operator=(connection_place const&) = delete;
  ~connection_place() override { give_up(); }

  connection_budget::verdict verdict() const noexcept override { return verdict_; }
  bool is_granted() const noexcept { return verdict_ == connection_budget::verdict::granted; }
  connection_budget::verdict pass_on(connection_budget::address const& to) override {
    auto const v = by_->budget.pass_on(from_, to);
    if (v != connection_budget::verdict::granted) {
      count_refusal(v);
    } else {
      from_ = to;
    }
    return v;
  }
  void leave() noexcept override {
    give_up();
    by_->end_if_done();
  }

 private:
  void count_refusal(connection_budget::verdict v) const noexcept {
    by_->host.count(v == connection_budget::verdict::full ? parting::full : parting::address_full);
  }
  void give_up() noexcept {
    if (!std::exchange(is_held_, false)) return;
    --by_->connections_held;
    if (is_granted()) return by_->budget.give_back(from_);
    --by_->turning_away;
  }

  std::shared_ptr<impl> const by_;  // shared: the connection may outlive a listener that was not stopped
  connection_budget::address from_;
  connection_budget::verdict const verdict_;
  bool is_held_ = true;
};

connection_budget::verdict listener::impl::take_place(connection_budget::address const& from) {
  using enum connection_budget::verdict;
  auto taken = budget.take(from);
  // Who is to make way may turn out to have sent something, and stays; the next time it is one of those who do not
  // idle.
  for (auto tries = 2 * looked_at_max; taken == full && tries > 0 && make_room(); --tries) taken = budget.take(from);
  return taken;
}

/// Ends the connection that has waited for its client longest, of those looked at, so that nobody keeps others out by
/// holding connections and saying nothing, unless what it waited for has come. False when none has waited for long.
bool listener::impl::make_room() {
  auto longest = std::chrono::steady_clock::now() - host.limits.crowded_timeout;
  io::connection* found = nullptr;
  // Those that are being turned away are among them, and have no place to give.
  for (auto n = std::min(connections_held, looked_at_max + turning_away); n > 0 && !connections.empty(); --n) {
    auto& c = connections.front();
    connections.splice(connections.end(), connections, connections.begin());
    if (c.waiting_since() > longest) continue;
    longest = c.waiting_since();
    found = &c;
  }
  if (!found) return false;
  host.count(parting::made_way);
  found->make_way();
  return true;
}

/// What a proxy header says is believed, so nobody else may send one; and who sends none would not be understood.
bool listener::impl::may_connect(asio::ip::tcp::endpoint const& peer) const {
  if (!options.expects_proxy_header || is_in_any(options.trusted_proxies, io::to_bytes(peer.address()))) return true;
  host.count(parting::untrusted_peer);
  report(severity::warning, "connection_refused", peer.address().to_string() + " is none of the trusted proxies");
  return false;
}

/// What fails here costs this connection; the ones after it must be accepted all the same.
void listener::impl::admit(asio::ip::tcp::socket socket, asio::ip::tcp::endpoint const& peer,
                           descriptors left) noexcept {
  waiting.accepted();
  try {
    if (!may_connect(peer)) return;
    auto held = std::make_unique<connection_place>(shared_from_this(), io::to_bytes(peer.address()));
    bool const is_crowded = !held->is_granted() && turning_away > turning_away_max;
    if (held->is_granted() && left == descriptors::exhausted) host.count(parting::no_descriptor);
    if (is_crowded || left == descriptors::exhausted) {
      // An encrypted answer would take a handshake, for which there is no time or no place: the connection is closed.
      if (encryption) return;
      return io::turn_away_at_once(std::move(socket), peer, host, reason_for(held->verdict()));
    }
    boost::intrusive_ptr c{
        new http::connection{std::move(socket), peer, host, encryption.get(), sockets, std::move(held)}};
    connections.push_back(*c);
    http::connection::start(std::move(c), acceptor.get_executor());
  } catch (std::exception const& e) {
    report(severity::error, "connection_lost", e.what());
    end_if_done();
  }
}

/// Takes what waits and turns it away, unless there are descriptors again by then, or can be. False when not even that
/// is possible.
bool listener::impl::accept_with_spare() {
  error_code ec;
  acceptor.non_blocking(true, ec);
  for (int n = 0; n < accepted_in_turn_max && !ec && spare.is_held(); ++n) {
    spare.release();
    asio::ip::tcp::endpoint peer;
    asio::ip::tcp::socket socket = acceptor.accept(peer, ec);
    spare.take();
    if (ec) continue;
    if (!spare.is_held() && make_room()) spare.take();
    bool const is_exhausted = !spare.is_held();
    admit(std::move(socket), peer, is_exhausted ? descriptors::exhausted : descriptors::free);
    if (!spare.is_held()) spare.take();
  }
  return spare.is_held() && (!ec || ec == boost::system::errc::operation_would_block);
}

/// Once a second is enough to be noticed, and does not fill the log.
void listener::impl::report_failed_accept(error_code const& ec) {
  auto const now = std::chrono::steady_clock::now();
  if (now < next_report) return;
  next_report = now + 1s;
  report(severity::error, "accept_failed", ec.message());
}

/// Takes connections that wait already, so many at most.
void listener::impl::accept_waiting(int at_most) {
  error_code ec;
  acceptor.non_blocking(true, ec);
  for (int n = 0; n < at_most && !ec; ++n) {
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
  sockets->stop();
}

asio::awaitable<void> listener::impl::sweep(std::shared_ptr<impl> self) {
  while (!self->host.finishing || !self->is_done()) {
    self->tick.expires_after(choose_sweep_interval(self->host.limits));
    co_await self->tick.async_wait(as_result);
    auto const now = std::chrono::steady_clock::now();
    self->waiting.adapt(now);
    self->watch_turns(now);
    self->check_connections(now);
    if (now >= self->break_off_at) self->break_off();
  }
}

/// The last thing that a listener does; what it then has let go of may be gone.
void listener::impl::sweeping_has_ended() {
  tell_of_connections({});
  waits_since.reset();  // whatever would still end that wait
  is_sweeping = false;
  done.cancel();
}

/// Their deadlines; and what they are doing is counted along the way.
void listener::impl::check_connections(steady_time now) {
  connection_counts counts{};
  for_each_connection([now, &counts](io::connection& c) {
    ++counts[static_cast<std::size_t>(c.state())];
    c.check_deadline(now);
  });
  tell_of_connections(counts);
}

void listener::impl::tell_of_connections(connection_counts const& now) noexcept {
  if (host.counters) host.counters->note_connections(std::exchange(told_of, now), now);
}

void listener::impl::watch_turns(steady_time now) {
  if (waits_since) {
    host.surplus.observe_at_least(now - *waits_since, connections_held);
    return note_turn_wait();
  }
  waits_since = now;
  bell.ring();
}

void listener::impl::turn_has_come() {
  auto const since = std::exchange(waits_since, std::nullopt);
  if (!since) return;
  host.surplus.observe(std::chrono::steady_clock::now() - *since, connections_held);
  note_turn_wait();
}

void listener::impl::note_turn_wait() noexcept {
  if (host.counters) host.counters->note_turn_wait(host.surplus.wait());
}

/// The time to stop is over. Between two requests, or after the last, nothing is lost.
void listener::impl::break_off() {
  for_each_connection([this](io::connection& c) {
    auto const s = c.state();
    if (s != connection_state::idle && s != connection_state::closing) has_cut_off = true;
    c.abort();
  });
}

void listener::impl::abort_all() noexcept {
  for_each_connection([](io::connection& c) { c.abort(); });
}

/// Whatever is done to a connection may end it, and take it from the list.
template <class Act>
void listener::impl::for_each_connection(Act act) {
  for (auto next = connections.begin(); next != connections.end();) act(*next++);
}

/// A log that throws costs nobody the connection, nor the listener its end.
void listener::impl::report(severity s, std::string_view event, std::string_view detail) const noexcept {
  try {
    if (host.log) host.log(s, event, detail, {});
  } catch (...) {
  }
}

}  // namespace petstore::server
