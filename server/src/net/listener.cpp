// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "net/listener.hpp"

#include <poll.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <string>
#include <utility>

#include "net/accept.hpp"
#include "net/address.hpp"
#include "net/socket_options.hpp"
#include "net/tcp_handshakes.hpp"
#include "petstore/asio/as_result.hpp"
#include "petstore/server/acceptors.hpp"

namespace petstore::server::net {
namespace {

using boost::system::error_code;
using namespace std::chrono_literals;

/// The pause after a failed accept that cannot be retried at once.
constexpr auto accept_pause = 100ms;
/// The number of connections that are accepted together before the open connections get their turn. One at a time would
/// be too few: a busy thread serves hundreds of requests between two accepts, and a new client would hardly ever get
/// in.
constexpr int accepted_in_turn_max = 64;
/// Threads that share a queue accept one connection at a time. A thread with more than its share first leaves the
/// others this long to accept. Otherwise the thread that happens to be awake would accept all connections and keep
/// them.
constexpr int accepted_of_shared_max = 1;
constexpr auto precedence_of_others = 1ms;
/// The number of connections accepted before a pause while requests wait too long: few enough to cost hardly anything,
/// and enough that no client is kept out for good.
constexpr int accepted_when_behind_max = 16;

/// How long a listener that stops goes on serving as before, except that a connection ends with the answer to the last
/// request that has arrived. So a client that is busy learns of the end from an answer, and no request of it meets a
/// closed connection. A TCP handshake in progress completes within this time: it is a few round trips between a load
/// balancer and its nodes.
constexpr std::chrono::milliseconds announcement_time_max = 50ms;

/// Deadlines are noticed with at most this delay, or a quarter of the shortest time-out.
constexpr std::chrono::milliseconds sweep_interval_max = 250ms;
constexpr std::chrono::milliseconds sweep_interval_min = 5ms;

std::chrono::milliseconds choose_sweep_interval(connection_limits const& l) {
  auto const shortest = std::min({l.header_timeout, l.request_timeout, l.idle_timeout, l.write_timeout});
  return std::clamp(shortest / 4, sweep_interval_min, sweep_interval_max);
}

bool is_out_of_descriptors(error_code const& ec) noexcept {
  using namespace boost::system::errc;
  return ec == too_many_files_open || ec == too_many_files_open_in_system;
}

}  // namespace

listener::listener(asio::ip::tcp::acceptor a, listener_state& s, connection_budget& b, listener_options const& o)
    : shared_{s},
      options_{o},
      acceptor_{std::move(a)},
      address_{acceptor_.is_open() ? acceptor_.local_endpoint() : asio::ip::tcp::endpoint{}},
      queue_{acceptor_, s.limits.accept_wait, std::chrono::steady_clock::now(), std::max<std::size_t>(1, o.sharers)},
      connections_{s, b, [this] { end_if_done(); }},
      sockets_{std::make_shared<net::poller>(acceptor_.get_executor())},
      turns_{sockets_, s, connections_},
      tick_{acceptor_.get_executor()},
      pause_{acceptor_.get_executor()},
      done_{acceptor_.get_executor(), steady_time::max()} {
  if (acceptor_.is_open()) net::prepare_socket(acceptor_.native_handle(), shared_.limits);
}

void listener::start() {
  auto const self = shared_from_this();
  sockets_->start();
  if (acceptor_.is_open()) begin_accepting();
  is_sweeping_ = true;
  auto sweeping = sweep(self);
  asio::co_spawn(executor(), std::move(sweeping), [self](std::exception_ptr) { self->sweeping_has_ended(); });
}

void listener::take(asio::ip::tcp::socket socket) {
  error_code gone;
  auto const peer = socket.remote_endpoint(gone);
  if (gone || shared_.finishing) return;
  net::prepare_socket(socket.native_handle(), shared_.limits);
  socket.native_non_blocking(true);
  admit(descriptor{socket.release()}, peer);
}

void listener::set_limits(connection_limits const& limits) {
  bool const waits_differently = limits.write_timeout != shared_.limits.write_timeout;
  shared_.limits = limits;
  if (waits_differently) connections_.for_each([](net::connection& c) { c.follow_write_timeout(); });
  if (acceptor_.is_open()) net::prepare_socket(acceptor_.native_handle(), limits);
}

asio::awaitable<bool> listener::stop(std::shared_ptr<listener> self, std::chrono::milliseconds timeout) {
  auto const end = deadline_after(timeout);
  self->shared_.closing = true;
  error_code ignored;
  if (self->is_passed()) self->acceptor_.close(ignored);
  // Connections that the kernel has accepted already would be reset if the acceptor closed now.
  bool const accepts_rest = self->is_accepting_ && !self->is_passed();
  if (accepts_rest) net::refuse_tcp_handshakes(self->acceptor_);
  if (accepts_rest || self->connections_.count() != 0) {
    asio::steady_timer announcing{self->executor(), std::min(timeout, announcement_time_max)};
    co_await announcing.async_wait(as_result);
  }
  // No more than the queue can hold, so that the listener also stops where the kernel does not refuse new handshakes.
  for (int left = backlog_default; accepts_rest && left > 0; left -= accepted_in_turn_max) {
    if (self->accept_waiting(accepted_in_turn_max)) break;
    co_await asio::post(asio::use_awaitable);
  }
  self->begin_finishing(end);
  while (self->is_sweeping_) co_await self->done_.async_wait(as_result);
  co_return !self->has_cut_off_;
}

void listener::abandon() noexcept {
  begin_finishing({});
  abort_all();
  // Coroutines of a listener that was not stopped go on, and the counters may be destroyed before they end.
  report_connections({});
  shared_.counters = nullptr;
}

void listener::begin_accepting() {
  // Without memory, Asio may destroy a coroutine that waits, and its completion handler with it.
  struct end_of_accepting {
    std::shared_ptr<listener> of;

    explicit end_of_accepting(std::shared_ptr<listener> l) : of{std::move(l)} {}
    end_of_accepting(end_of_accepting&&) = default;
    ~end_of_accepting() {
      if (of) of->is_accepting_ = false;
    }
    void operator()(std::exception_ptr) { std::exchange(of, nullptr)->accepting_has_ended(); }
  };
  acceptor_.native_non_blocking(true);
  auto accepting = accept_all(shared_from_this());
  is_accepting_ = true;
  asio::co_spawn(executor(), std::move(accepting), end_of_accepting{shared_from_this()});
}

/// Accepting has ended although the acceptor is open: there was no memory.
void listener::accept_again() noexcept {
  try {
    report_failed_accept(boost::system::errc::make_error_code(boost::system::errc::not_enough_memory));
    begin_accepting();
  } catch (std::exception const&) {  // the next sweep tries
  }
}

asio::awaitable<void> listener::accept_all(std::shared_ptr<listener> self) {
  auto& acceptor = self->acceptor_;
  while (acceptor.is_open()) {
    co_await self->wait_for_connection();
    if (!acceptor.is_open()) break;
    bool const takes_more = self->shared_.surplus.can_take_more();
    int const at_most = self->accepted_in_turn();
    auto const ec = self->accept_waiting(takes_more ? at_most : std::min(at_most, accepted_when_behind_max));
    if (!acceptor.is_open()) break;  // a handler may have stopped the listener
    bool const has_failed = ec && ec != boost::system::errc::operation_would_block;
    if (has_failed) self->report_failed_accept(ec);
    bool const goes_on = has_failed ? is_out_of_descriptors(ec) && self->accept_with_spare() : takes_more;
    if (goes_on) continue;
    self->pause_.expires_after(accept_pause);
    co_await self->pause_.async_wait(as_result);
  }
}

int listener::accepted_in_turn() const noexcept {
  if (shares_queue()) return accepted_of_shared_max;
  // An accept that finds none costs three times as much as to ask how many wait.
  return std::clamp(queue_.waiting().value_or(accepted_in_turn_max), 1, accepted_in_turn_max);
}

void listener::accepting_has_ended() {
  is_accepting_ = false;
  end_if_done();
}

/// Waits until there is a connection that this thread may take. Threads that share a queue are all notified of each
/// connection; one that holds more than its share lets the others go first.
asio::awaitable<void> listener::wait_for_connection() {
  while (acceptor_.is_open()) {
    auto const [ec] = co_await acceptor_.async_wait(asio::ip::tcp::acceptor::wait_read, as_result);
    if (ec || !shares_queue() || !connections_.are_more_than_share(options_.sharers)) break;
    pause_.expires_after(precedence_of_others);
    co_await pause_.async_wait(as_result);
    pollfd left{acceptor_.native_handle(), POLLIN, 0};
    if (::poll(&left, 1, 0) > 0) break;
  }
}

/// PROXY headers are believed, so only trusted proxies may send them. A client that sends none could not be served.
bool listener::may_connect(asio::ip::tcp::endpoint const& peer) const {
  if (!options_.expects_proxy_header || is_in_any(options_.trusted_proxies, to_bytes(peer.address()))) return true;
  shared_.count(refusal_reason::untrusted_peer);
  report(severity::warning, "connection_refused", peer.address().to_string() + " is none of the trusted proxies");
  return false;
}

/// An exception here costs this connection only; later ones must still be accepted.
void listener::admit(descriptor socket, asio::ip::tcp::endpoint const& peer, descriptors left) noexcept {
  queue_.accepted();
  try {
    if (!may_connect(peer)) return;
    std::shared_ptr<open_connections> all{shared_from_this(), &connections_};
    auto held = std::make_unique<registration>(std::move(all), to_bytes(peer.address()));
    if (held->has_slot() && left == descriptors::exhausted) shared_.count(refusal_reason::no_descriptor);
    if ((!held->has_slot() && !held->may_linger()) || left == descriptors::exhausted)
      return turn_away(std::move(socket), peer, reason_for(held->admission()));
    serve(std::move(socket), peer, std::move(held));
  } catch (std::exception const& e) {
    report(severity::error, "connection_lost", e.what());
    end_if_done();
  }
}

/// Another thread may have opened the descriptor that was free for a moment.
void listener::hold_spare() {
  if (!spare_.is_held()) spare_.take();
  if (!spare_.is_held() && connections_.end_longest_waiting(open_connections::freed::descriptor)) spare_.take();
}

/// Accepts and refuses the connections in the queue, unless descriptors have become free or can be freed. Returns false
/// when not even that is possible.
bool listener::accept_with_spare() {
  error_code ec;
  hold_spare();
  for (int n = 0; n < accepted_in_turn_max && !ec && spare_.is_held(); ++n) {
    spare_.release();
    auto next = accept(acceptor_);
    spare_.take();
    ec = next.error;
    if (ec) continue;
    hold_spare();
    bool const is_exhausted = !spare_.is_held();
    admit(std::move(next.socket), next.peer, is_exhausted ? descriptors::exhausted : descriptors::free);
    if (!spare_.is_held()) spare_.take();
  }
  return spare_.is_held() && (!ec || ec == boost::system::errc::operation_would_block);
}

/// One report a second is enough to be noticed, and does not fill the log.
void listener::report_failed_accept(error_code const& ec) {
  auto const now = std::chrono::steady_clock::now();
  if (now < next_report_) return;
  next_report_ = now + 1s;
  report(severity::error, "accept_failed", ec.message());
}

/// Accepts connections that wait already, but no more than `at_most`. Returns what ended it sooner, which is
/// operation_would_block when there are no more.
error_code listener::accept_waiting(int at_most) {
  error_code ignored;
  if (is_passed()) acceptor_.native_non_blocking(true, ignored);  // other processes have the socket, too
  for (int n = 0; n < at_most && acceptor_.is_open(); ++n) {
    auto next = accept(acceptor_);
    if (next.error) return next.error;
    admit(std::move(next.socket), next.peer);
  }
  return {};
}

void listener::begin_finishing(steady_time end) {
  shared_.closing = true;
  shared_.finishing = true;
  break_off_at_ = std::min(break_off_at_, end);
  error_code ignored;
  acceptor_.close(ignored);
  pause_.cancel();
  tick_.cancel();  // the sweep checks the remaining time at once
  connections_.for_each([](net::connection& c) { c.finish(); });
  end_if_done();
}

void listener::end_if_done() {
  if (!shared_.finishing || !is_done()) return;
  tick_.cancel();
  sockets_->stop();
}

asio::awaitable<void> listener::sweep(std::shared_ptr<listener> self) {
  while (!self->shared_.finishing || !self->is_done()) {
    self->tick_.expires_after(choose_sweep_interval(self->shared_.limits));
    co_await self->tick_.async_wait(as_result);
    auto const now = std::chrono::steady_clock::now();
    self->queue_.adapt(now);
    self->turns_.look(now);
    self->check_connections(now);
    if (self->acceptor_.is_open() && !self->is_accepting_) self->accept_again();
    if (now >= self->break_off_at_) self->break_off(now);
  }
}

/// The last step of a listener; objects that it refers to may be destroyed after it.
void listener::sweeping_has_ended() {
  report_connections({});
  turns_.stop();
  end_if_done();
  is_sweeping_ = false;
  done_.cancel();
}

/// Checks the deadlines, and counts what the connections are doing.
void listener::check_connections(steady_time now) {
  connection_counts counts{};
  connections_.for_each([now, &counts](net::connection& c) {
    ++counts[static_cast<std::size_t>(c.state())];
    c.check_deadline(now);
  });
  report_connections(counts);
}

void listener::report_connections(connection_counts const& now) noexcept {
  if (shared_.counters) shared_.counters->note_connections(std::exchange(reported_, now), now);
}

/// The time to stop is over. Connections that are idle or closing lose no request, and a handler that gets a turn may
/// still answer.
void listener::break_off(steady_time now) {
  connections_.for_each([this, now](net::connection& c) {
    auto const s = c.state();
    if (c.break_off(now) && s != connection_state::idle && s != connection_state::closing) has_cut_off_ = true;
  });
}

void listener::abort_all() noexcept {
  connections_.for_each([](net::connection& c) { c.abort(); });
}

/// A log that throws must end neither the connection nor the listener.
void listener::report(severity s, std::string_view event, std::string_view detail) const noexcept {
  try {
    if (shared_.log) shared_.log(s, event, detail, {});
  } catch (...) {
  }
}

}  // namespace petstore::server::net
