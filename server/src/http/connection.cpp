// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
#include "http/connection.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <exception>
#include <utility>

#include "net/address.hpp"

namespace petstore::server::http {
namespace {

using namespace std::chrono_literals;
using net::status;

constexpr steady_time never = steady_time::max();

/// After this time, the connection closes without having sent TLS's close_notify.
constexpr auto close_notify_time_max = 2s;
/// How long, and how much, the client may go on sending after the last answer, so that it can read the answer. Closing
/// a socket with unread bytes makes the kernel reset the connection, and the client's kernel then discards the answer.
constexpr auto linger_time_max = 2s;
constexpr std::size_t linger_bytes_max = 1024 * 1024;

}  // namespace

connection::connection(net::descriptor socket, asio::ip::tcp::endpoint const& peer, http_state& shared,
                       tls::listener_tls* encryption, std::shared_ptr<net::poller> poller,
                       std::unique_ptr<net::registration> registration)
    : shared_{shared},
      encryption_{encryption},
      registration_{std::move(registration)},
      socket_{std::move(socket), std::move(poller)},
      session_{to_bytes(peer.address()), shared} {
  if (shared.surplus.is_behind()) socket_.read_when_reported();  // see close_if_abandoned
}

void connection::start(boost::intrusive_ptr<connection> self, asio::any_io_executor const& executor) {
  self->registration_->enter(*self);
  auto life = live(std::move(self));
  asio::co_spawn(executor, std::move(life), [](std::exception_ptr) {});
}

asio::awaitable<void> connection::live(ownership self) {
  try {
    auto running = self->run();
    if (self->socket_.is_open()) co_await std::move(running);  // it may have been aborted before it began
  } catch (std::exception const& e) {
    self->lose(e.what());
  } catch (...) {
    self->lose("an exception of unknown type");
  }
  self->end();
}

asio::awaitable<void> connection::run() {
  if (must_introduce()) co_await introduce();
  while (!reads_no_more_ && !session_.is_over()) {
    if (session_.next_request()) {
      enter(phase::handling, never);
      auto work = session_.handle();
      if (work.valid()) {
        write_unsent();  // earlier answers do not wait for this handler; what fails now, fails again after it
        if (session_.mounted()) work = answer_apart(std::move(work));
        co_await std::move(work);
      }
      if (session_.is_left_behind()) co_return;
      session_.write_answer(shared_.is_closing() && stream_->has_unread());
      if (session_.has_parts()) co_await send_parts();
      if (session_.is_left_behind()) co_return;
    } else if (!session_.unsent().empty()) {
      enter(phase::sending, session_.send_deadline());
      while (!send()) co_await socket_.ready();
    } else {
      enter(phase::receiving, session_.receive_deadline());
      while (!reads_no_more_ && !receive()) {
        co_await socket_.ready();
        reads_no_more_ = close_if_abandoned();
      }
    }
  }
  lingers_ = lingers_ || (session_.is_over() && !may_close_at_once());
  session_.record_unsent();
  if (lingers_ || tls_) co_await shut_down();
}

/// Whether no byte of the client is unread, and none is to come, when the socket closes after the last answer. TLS ends
/// with bytes; and a drain waits until the client has the answer.
bool connection::may_close_at_once() const noexcept {
  return session_.client_is_done() && !tls_ && !shared_.is_closing() && !socket_.has_unread();
}

void connection::enter(phase p, steady_time deadline) noexcept {
  phase_ = p;
  deadline_ = deadline;
}

bool connection::receive() {
  if (is_given_up_) {
    reads_no_more_ = session_.is_between();
    if (!reads_no_more_) session_.refuse({errc::request_timeout, {}});
    return true;
  }
  if (!stream_->may_read()) return false;
  auto const arrived = stream_->read(session_.buffer());
  switch (arrived.status) {
    case status::blocked: session_.received_nothing(); return false;
    case status::moved: session_.received(arrived.bytes); return true;
    case status::failed: return fail();
    case status::ended: break;
  }
  reads_no_more_ = session_.is_between();
  if (!reads_no_more_) session_.refuse({errc::malformed_http, "The connection ended within a request."});
  return true;
}

bool connection::send() {
  switch (write_unsent()) {
    case status::moved: return true;
    case status::blocked: session_.stalled(); return false;
    default: return fail();
  }
}

/// Writes what the socket takes now. Returns `moved` when everything is written.
status connection::write_unsent() {
  for (auto bytes = session_.unsent(); !bytes.empty(); bytes = session_.unsent()) {
    auto const taken = stream_->write(bytes);
    if (taken.status != status::moved) return taken.status;
    session_.sent(taken.bytes);
  }
  return status::moved;
}

/// Sends a body that is made while it is sent.
asio::awaitable<void> connection::send_parts() {
  while (session_.has_parts()) {
    enter(phase::sending, session_.send_deadline());
    while (!send()) co_await socket_.ready();
    if (reads_no_more_) co_return;
    enter(phase::handling, never);
    auto next = session_.next_part();
    if (session_.mounted()) next = run_apart(std::move(next));
    auto part = session_.write_part(std::move(next));
    co_await std::move(part);
    if (session_.is_left_behind()) co_return;
  }
}

/// Ends our direction; after the last answer also waits for the client to end its own.
asio::awaitable<void> connection::shut_down() {
  enter(phase::sending, deadline_after(lingers_ ? shared_.limits.write_timeout : close_notify_time_max));
  auto ended = stream_->shut_down();
  while (ended == status::blocked) {
    co_await socket_.ready();
    ended = stream_->shut_down();
  }
  if (ended != status::moved || !lingers_) co_return;
  enter(phase::lingering, deadline_after(linger_time_max));
  for (std::size_t bytes = 0; bytes < linger_bytes_max;) {
    auto const rest = socket_.read(shared_.unread);
    if (rest.status == status::blocked) {
      co_await socket_.ready();
    } else if (rest.status != status::moved) {
      break;
    }
    bytes += rest.bytes;
  }
}

/// Handles a failed read or write. Returns true, since there is nothing to wait for.
bool connection::fail() {
  lingers_ = tls_ && tls_->engine().has_failed();  // there is an alert for the client to read
  if (lingers_) report(severity::info, "tls_failed", ": " + tls_->engine().failure());
  return reads_no_more_ = true;
}

/// Closes the connection, and returns true, when the client has ended its direction while requests wait too long: it
/// has given up, and an answer would only make the other clients wait longer.
bool connection::close_if_abandoned() {
  if (is_given_up_ || !socket_.is_hung_up() || !shared_.surplus.is_behind() || !is_idle()) return false;
  bool const has_request = phase_ == phase::receiving && !tls_;  // TLS itself ends with bytes
  if (has_request && socket_.has_unread()) shared_.count(shed_reason::abandoned);
  socket_.close();
  return true;
}

void connection::report(severity s, std::string_view event, std::string_view detail) {
  if (shared_.log) shared_.log(s, event, address_text(session_.peer()).append(detail), {});
}

/// The cause is a lack of memory, a socket that the kernel does not watch, or a log that throws. Only this connection
/// is lost.
void connection::lose(std::string_view why) noexcept {
  try {
    session_.record_unsent();
    if (shared_.log) shared_.log(severity::error, "session_failed", why, {});
  } catch (...) {  // the log itself may have failed
  }
}

void connection::end() noexcept {
  socket_.close();
  unlink();
  registration_->leave();
}

// --- called by the listener

bool connection::is_receiving() const noexcept {
  return phase_ == phase::introducing || phase_ == phase::shaking_hands || phase_ == phase::receiving;
}

/// Whether it waits for data from the client, and not until the client reads what TLS has written.
bool connection::awaits_client() const noexcept {
  return is_receiving() && !socket_.is_write_blocked();
}

bool connection::is_idle() const noexcept {
  return awaits_client() && session_.is_between();
}

steady_time connection::waiting_since() const noexcept {
  return awaits_client() ? session_.waiting_since() : never;
}

connection_state connection::state() const noexcept {
  switch (phase_) {
    case phase::handling: return connection_state::handling;
    case phase::sending: return connection_state::sending;
    case phase::lingering: return connection_state::closing;
    default: break;
  }
  if (!awaits_client()) return connection_state::sending;
  return phase_ == phase::receiving && is_idle() ? connection_state::idle : connection_state::receiving;
}

/// Ends the wait for the client. An idle connection first tries one more read, so that data that has just arrived is
/// not lost. Does nothing, and returns false, if it then no longer waits, or if `goes_on()`. The caller must share the
/// ownership, since the connection may end.
template <class GoesOn>
bool connection::end_wait(GoesOn goes_on) {
  if (is_idle()) socket_.look_again();
  if (!is_waiting() || goes_on()) return false;
  is_given_up_ = true;
  socket_.resume();
  return true;
}

void connection::check_deadline(steady_time time) {
  if (is_mount_over()) return socket_.resume();
  if (time < deadline_) return;
  if (awaits_client()) {
    ownership const self{this};
    end_wait([this, time] { return time < deadline_; });
    return;
  }
  if (give_mount_a_turn(time)) return;
  if (phase_ != phase::lingering) socket_.forget_unsent();
  abort();
}

void connection::finish() {
  if (!is_receiving() || !session_.is_between()) return;
  ownership const self{this};
  if (is_idle() && !session_.is_fresh()) {
    end_wait([this] { return !session_.is_between(); });  // a request that has just begun to arrive is served
    return;
  }
  auto const grace = phase_ == phase::shaking_hands ? handshake_grace : fresh_grace;
  deadline_ = std::min(deadline_, deadline_after(grace));
}

bool connection::make_way() {
  ownership const self{this};
  bool const has_ended = end_wait([this, since = waiting_since()] { return waiting_since() != since; });
  if (has_ended) abort();  // no time to linger
  return has_ended;
}

bool connection::break_off(steady_time now) noexcept {
  if (give_mount_a_turn(now)) return false;
  bool const owes = !is_receiving() || !session_.is_between();
  abort();
  return owes;
}

/// While a handler runs, the connection outlives its socket. The work of a mount is left behind.
void connection::abort() noexcept {
  ownership const self{this};
  give_mount_a_turn(std::chrono::steady_clock::now());
  socket_.close();
  unlink();
  socket_.resume();
}

}  // namespace petstore::server::http
