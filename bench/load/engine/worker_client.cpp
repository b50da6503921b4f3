// Copyright (c) 2026 the petstore authors. Distributed under the Boost Software License 1.0.
//
// The steps of one client, from the beginning of an operation to the end of its last answer.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <string>

#include "engine/worker.hpp"

namespace petstore::load {
namespace {

using phase = virtual_client::phase;

/// The pause of a closed loop after a failed connection.
constexpr std::chrono::milliseconds pause_without_connection{100};
/// The pause of a client whose flow has nothing to send.
constexpr std::chrono::milliseconds pause_withheld{1};

std::int64_t number_or_none(std::string_view text) noexcept {
  std::int64_t number = 0;
  auto const [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  return fault == std::errc{} && end == text.data() + text.size() ? number : -1;
}

bool is_out_of_descriptors(int code) noexcept {
  return code == EMFILE || code == ENFILE || code == EADDRNOTAVAIL || code == ENOBUFS;
}

error_kind kind_of_connect_fault(int code) noexcept {
  if (is_out_of_descriptors(code)) return error_kind::no_descriptor;
  switch (code) {
    case ECONNREFUSED: return error_kind::refused;
    case ETIMEDOUT: return error_kind::connect_timeout;
    default: return error_kind::unreachable;
  }
}

}  // namespace

/// Does the next step of a busy client that has no request under way.
void worker::proceed(virtual_client& c) {
  c.current = c.actor.next(now_);
  if (c.current.what == action::kind::send) return send_or_rest(c);
  finish_operation(
      c, c.current.what == action::kind::withheld ? std::max(c.current.when, now_ + pause_withheld) : c.current.when);
}

/// The client is between two operations. In a closed loop it begins the next one itself.
void worker::finish_operation(virtual_client& c, instant may_begin) {
  bool const goes_on = is_closed_loop() && !is_ending_ && operations_left_ > 0;
  if (!goes_on) {
    --busy_;
    c.at = is_closed_loop() ? phase::retired : phase::idle;
    if (c.at == phase::idle) idle_[c.target].push_back(&c);
    return;
  }
  c.actor.begin(std::max(may_begin, c.not_before), c.target);
  c.current = c.actor.next(now_);
  if (c.current.what == action::kind::send) {
    if (c.current.when >= counted_from_) --operations_left_;
  } else {
    // Every key pauses; the client tries again at that time.
    c.current.when = std::max(c.current.when, now_ + pause_withheld);
  }
  send_or_rest(c);
}

void worker::send_or_rest(virtual_client& c) {
  bool const is_send = c.current.what == action::kind::send;
  if (is_send && c.current.when <= now_ && !is_cut_short_) return start(c);
  c.at = phase::resting;
  if (is_send && c.current.is_retry) ++retrying_;
  resting_.push({c.current.when, &c});
}

void worker::start(virtual_client& c) {
  if (c.current.what != action::kind::send) return finish_operation(c, now_);
  if (c.actor.withdraws(now_)) return withhold(c);
  c.reader.expect(c.current.is_head, c.current.keeps_body);
  c.unsent = c.current.request;
  c.bytes_in = 0;
  c.sent = c.first_byte = {};
  deadlines_.add(c, now_ + part_.plan.timeout);
  if (c.wire.is_open()) {
    transmit(c);
  } else {
    open(c);
  }
}

/// The key has begun to pause since the request was planned. In a closed loop the first request of an operation was not
/// due: the client begins another operation.
void worker::withhold(virtual_client& c) {
  if (is_closed_loop() && c.current.begins) {
    if (c.current.when >= counted_from_) ++operations_left_;
  } else {
    figures_.record_withheld(c.current.due);
    ++withheld_;
  }
  finish_operation(c, now_);
}

void worker::open(virtual_client& c) {
  auto const& addresses = destination_of(c).addresses;
  c.opening = now_;
  c.answers_on_wire = 0;
  c.at = phase::connecting;
  auto const outcome = c.wire.open(addresses[address_turn_++ % addresses.size()]);
  if (outcome != progress::failed && !readiness_.add(c.wire.descriptor(), &c))
    return fail(c, error_kind::unreachable, "the kernel takes no more sockets to wait for");
  if (outcome != progress::later) opened_or_fail(c, outcome);
}

void worker::opened_or_fail(virtual_client& c, progress outcome) {
  if (outcome == progress::failed) return fail_connection(c, false);
  read_clock();
  c.connected = now_;
  unreached_since_.reset();
  if (destination_of(c).to.is_tls) {
    c.at = phase::handshaking;
    return shake_hands(c);
  }
  figures_.record(opened{now_, now_ - c.opening, {}});
  transmit(c);
}

void worker::shake_hands(virtual_client& c) {
  auto const outcome = c.wire.handshake(*part_.tls, destination_of(c).to.host);
  if (outcome == progress::later) return;
  if (outcome != progress::done) return fail_connection(c, true);
  read_clock();
  figures_.record(opened{now_, c.connected - c.opening, now_ - c.connected});
  transmit(c);
}

void worker::transmit(virtual_client& c) {
  c.at = phase::awaiting;
  c.sent = now_;
  continue_sending(c);
}

/// False if the client has failed.
bool worker::continue_sending(virtual_client& c) {
  while (!c.unsent.empty()) {
    auto const sent = c.wire.send(c.unsent);
    if (sent.outcome == progress::later) return true;
    if (sent.outcome != progress::done) {
      fail_connection(c, false);
      return false;
    }
    c.unsent.remove_prefix(sent.bytes);
  }
  return true;
}

void worker::on_ready(virtual_client& c, std::uint32_t events) {
  bool const is_more_than_room = (events & ~static_cast<std::uint32_t>(EPOLLOUT)) != 0;
  switch (c.at) {
    case phase::connecting: {
      auto const outcome = c.wire.finish_open();
      // The first event of a new socket may only say that it is not connected yet.
      if (outcome == progress::failed || (events & EPOLLOUT) != 0) opened_or_fail(c, outcome);
      // A server may have sent bytes or closed before the request; there is only one event for it.
      if (c.at == phase::awaiting && is_more_than_room) receive(c, events);
      break;
    }
    case phase::handshaking: shake_hands(c); break;
    case phase::awaiting:
      if (!c.unsent.empty() && !continue_sending(c)) break;
      if (is_more_than_room) receive(c, events);
      break;
    case phase::idle:
    case phase::resting:
    case phase::retired:
      if (is_more_than_room) receive_when_idle(c);
      break;
  }
}

void worker::receive(virtual_client& c, std::uint32_t events) {
  bool const surely_ends = (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
  for (;;) {
    auto const got = c.wire.receive(received_);
    auto read = reading::incomplete;
    switch (got.outcome) {
      case progress::later: return;
      case progress::failed: return fail_connection(c, false);
      case progress::closed:
        read_clock();
        read = c.reader.end();
        break;
      case progress::done:
        read_clock();
        if (c.bytes_in == 0) c.first_byte = now_;
        c.bytes_in += got.bytes;
        read = c.reader.read({received_.data(), got.bytes});
        break;
    }
    switch (read) {
      case reading::complete: return complete(c, surely_ends);
      case reading::malformed: return fail(c, error_kind::malformed, c.reader.mistake());
      case reading::too_large: return fail(c, error_kind::too_large, c.reader.mistake());
      case reading::closed:
        return fail(c, error_kind::closed,
                    c.bytes_in > 0           ? "closed within an answer"
                    : c.answers_on_wire == 0 ? "closed without an answer"
                                             : "closed instead of an answer, after others on the same connection");
      case reading::incomplete: break;
    }
    // A short read has emptied the socket, unless the end of the connection came with it. With TLS, a read returns one
    // record at a time.
    bool const was_all = got.bytes < received_.size() && !surely_ends && !destination_of(c).to.is_tls;
    if (was_all) return;
  }
}

/// No answer is expected on this connection, so an event is its end, or bytes without a request: it is closed.
void worker::receive_when_idle(virtual_client& c) {
  if (c.wire.is_open() && c.wire.receive(received_).outcome != progress::later) c.wire.close();
}

void worker::complete(virtual_client& c, bool surely_ends) {
  auto const& answer = c.reader.answer();
  deadlines_.remove(c);
  ++c.answers_on_wire;
  record(c, &answer, c.actor.answered(answer, now_));
  bool const keeps = part_.plan.keep_alive && c.reader.keeps_connection() && !surely_ends && c.unsent.empty();
  if (!keeps) c.wire.close();
  proceed(c);
}

void worker::fail_connection(virtual_client& c, bool within_tls) {
  auto const code = c.wire.fault_code();
  bool const was_connected = c.at == phase::awaiting || c.at == phase::handshaking;
  bool const is_fault_of_tls = within_tls || (was_connected && code == 0 && !c.wire.was_cut());
  auto const kind = is_fault_of_tls ? error_kind::tls
                    : was_connected ? error_kind::closed
                                    : kind_of_connect_fault(code);
  out_of_descriptors_ |= !was_connected && is_out_of_descriptors(code);
  if (!was_connected || within_tls) c.not_before = now_ + pause_without_connection;
  fail(c, kind, destination_of(c).to.authority + ": " + c.wire.fault());
}

void worker::fail(virtual_client& c, error_kind kind, std::string_view what) {
  read_clock();
  if (c.at == phase::connecting && !unreached_since_) unreached_since_ = now_;
  deadlines_.remove(c);
  bool const tried_again = kind != error_kind::unfinished && c.actor.failed(now_);
  record(c, nullptr, {kind, what, tried_again});
  c.wire.close();
  c.at = phase::resting;
  // Not called directly: a client that fails again and again at once would recurse.
  failed_.push_back(&c);
}

void worker::record(virtual_client& c, answer_view const* answer, outcome const& how) {
  answered a;
  a.operation = c.current.operation;
  a.key = c.current.key;
  a.error = how.error;
  a.is_final = !how.tried_again;
  a.intended = c.current.due;
  a.sent = c.sent;
  a.first_byte = c.first_byte;
  a.done = now_;
  a.bytes_out = c.sent == instant{} ? 0 : c.current.request.size() - c.unsent.size();
  a.bytes_in = c.bytes_in;
  a.what = how.what;
  if (answer != nullptr) {
    a.status = static_cast<std::uint16_t>(answer->status);
    auto const& noted = answer->noted;
    a.is_untold = is_refusal(answer->status) && noted.retry_after.empty();
    if (!noted.remaining.empty())
      a.quota = {number_or_none(noted.limit), number_or_none(noted.remaining), noted.resource};
  }
  figures_.record(a);
  if (part_.plan.played.audit.wanted) audit(c, answer);
  if (how.error == error_kind::none || how.tried_again) return;
  count_error(a.intended);
}

/// The run is over before the client tries its request again. It has waited since the request was first due.
void worker::record_unfinished_wait(virtual_client& c) {
  c.sent = {};
  c.bytes_in = 0;
  record(c, nullptr, {error_kind::unfinished, "the run ended before the request was tried again"});
}

void worker::audit(virtual_client const& c, answer_view const* answer) {
  if (!c.current.charged || c.sent == instant{}) return;
  auditor_.observe({c.current.key, c.target, c.sent, now_, answer,
                    std::chrono::floor<std::chrono::seconds>(stage_.unix_time(now_))});
}

}  // namespace petstore::load
